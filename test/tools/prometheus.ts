import { join } from 'node:path';
import { findPrograms, type Found, type GoPrograms } from '../../tools/go/programs';

type Name = 'prometheus' | 'promtool';

const programs: GoPrograms<Name> = {
  what: 'Prometheus',
  key: 'prometheus',
  modules: [
    {
      folder: join(__dirname, 'modules', 'prometheus'),
      // Of the ways to find targets only Kubernetes', which Debian's Prometheus is built without.
      flags: ['-trimpath', '-tags=remove_all_sd,enable_kubernetes_sd', '-ldflags=-s -w'],
      packages: {
        prometheus: 'github.com/prometheus/prometheus/cmd/prometheus',
        promtool: 'github.com/prometheus/prometheus/cmd/promtool',
      },
    },
  ],
  variable: { name: 'PROMETHEUS_ASSETS', is: 'folder', hint: 'They must know Kubernetes as a way of discovery.' },
  cost: 'about three minutes',
};

/** Prometheus' programs: in the folder that `PROMETHEUS_ASSETS` names, else in the cache, else built into the cache. */
export function findPrometheus(): Promise<Found<Name>> {
  return findPrograms(programs, ['prometheus', 'promtool']);
}
