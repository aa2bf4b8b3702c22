import { goProgram } from './go-program.mjs';

/** The helm to compare with: the one that HELM names, else one that is built. */
export function helm() {
  return goProgram({ name: 'helm', path: 'helm.sh/helm/v4/cmd/helm', variable: 'HELM' });
}
