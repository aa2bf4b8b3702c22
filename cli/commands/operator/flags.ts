import type { Flag } from '../../command';

/** The operator's own namespace. */
export const ownNamespaceFlag: Flag = {
  name: 'namespace',
  short: 'n',
  value: 'NAMESPACE',
  default: 'inferno-system',
  description: "The operator's own namespace.",
};

/** The namespaces that it watches. */
export const watchNamespaceFlag: Flag = {
  name: 'watch-namespace',
  value: 'NAMESPACE',
  repeatable: true,
  default: 'all namespaces',
  description: 'What is given to inferno operator under the same name.',
};

/** What it runs beside InferenceService. */
export const compositionFlag: Flag = {
  name: 'composition',
  value: 'FILE.js',
  completes: 'file',
  repeatable: true,
  description: 'What is given to inferno operator under the same name.',
};

/** How the objects are written. */
export const objectsOutputFlag: Flag = {
  name: 'output',
  short: 'o',
  value: 'FORMAT',
  values: ['yaml', 'json'],
  default: 'yaml',
  description: 'YAML documents, or JSON (a v1 List).',
};
