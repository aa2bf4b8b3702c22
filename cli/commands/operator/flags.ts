import { defined } from '../../../lib/composition/objects';
import { OPERATOR_NAMESPACE } from '../../../lib/install/names';
import { SETTINGS, variableOf, type Setting } from '../../../lib/settings/settings';
import type { Flag } from '../../command';

/** The operator's own namespace. */
export const ownNamespaceFlag: Flag = {
  name: 'namespace',
  short: 'n',
  value: 'NAMESPACE',
  default: OPERATOR_NAMESPACE,
  description: "The operator's own namespace.",
};

/** The flag of a setting of the operator. */
export function operatorFlag(setting: Setting): Flag {
  const { flag, short, aliases, former, value, list, description } = setting;
  return defined<Flag>({
    name: flag,
    short,
    aliases,
    former,
    description,
    value,
    completes: value?.startsWith('FILE') === true ? 'file' : undefined,
    repeatable: list,
    default: setting.default ?? setting.otherwise,
    variable: variableOf(setting),
  });
}

/** The flag of the same name of a command that writes manifests. */
export function sameAsOperator(setting: Setting): Flag {
  const { variable: _, former: _former, ...flag } = operatorFlag(setting);
  return { ...flag, description: 'What is given to inferno operator under the same name.' };
}

/** The namespaces that it watches. */
export const watchNamespaceFlag = sameAsOperator(SETTINGS.watchNamespaces);
/** What it runs beside InferenceService. */
export const compositionFlag = sameAsOperator(SETTINGS.compositionFiles);

/** How the objects are written. */
export const objectsOutputFlag: Flag = {
  name: 'output',
  short: 'o',
  value: 'FORMAT',
  values: ['yaml', 'json'],
  default: 'yaml',
  description: 'YAML documents, or JSON (a v1 List).',
};
