import { join } from 'node:path';
import { findPrograms, singleProgram } from '../../tools/go/programs';

const programs = singleProgram('helm', join(__dirname, 'modules'), {
  path: 'helm.sh/helm/v4/cmd/helm',
  variable: { name: 'HELM', is: 'file' },
});

/** Helm: the one that HELM names, else one that is built. */
export async function helm(): Promise<string> {
  return (await findPrograms(programs, ['helm'])).helm;
}
