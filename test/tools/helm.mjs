import { fileURLToPath } from 'node:url';
import { goProgram } from './go-program.mjs';

/**
 * Helm: the one that HELM names, else one that is built.
 *
 * @returns {string} its file
 */
export function helm() {
  const modules = fileURLToPath(new URL('modules', import.meta.url));
  return goProgram({ name: 'helm', path: 'helm.sh/helm/v4/cmd/helm', variable: 'HELM', modules });
}
