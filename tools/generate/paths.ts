import { join } from 'node:path';

/** The root of the repository. */
export const root = join(__dirname, '../..');

/** What everything is generated from. */
export const sources = {
  crd: join(root, 'crds/src/inferenceservice.yaml'),
  kubernetes: join(root, 'crds/src/kubernetes.json'),
};
