import type { Manifest, Observed, Resource, ResourceGauge } from '../../lib/composition';
import { member } from '../../lib/composition/objects';

/** Where the figures of a controller's resources come from: the caches, at the moment of asking. */
export interface ResourceSource {
  readonly controller: string;
  readonly gauges: readonly ResourceGauge<Resource>[];
  /** The resources whose children and observed objects are known in full. */
  readonly resources: () => readonly Manifest[];
  readonly observedOf: (resource: Manifest) => Observed;
}

interface Family {
  readonly help: string;
  readonly lines: string[];
}

const CONDITION = {
  name: 'inferno_resource_condition',
  help: 'Conditions in the status of each resource: 1 for True, 0 for False, -1 for Unknown.',
};
const SINCE = {
  name: 'inferno_resource_condition_since_seconds',
  help: 'Unix time at which the condition changed last.',
};
const VALUES: ReadonlyMap<unknown, number> = new Map([
  ['True', 1],
  ['False', 0],
  ['Unknown', -1],
]);

/** The longest type that Kubernetes' own conditions may have; others may write conditions too. */
const LONGEST_TYPE = 316;

/** What is written of a version of a resource, which does not depend on what is around it. */
interface Written {
  readonly labels: string;
  readonly conditions: string;
  readonly since: string;
}

/**
 * The figures of each resource as Prometheus text, made at the moment of asking, so that what is gone is gone and a crowd
 * of events costs nothing. Written without prom-client, which takes several times as long for 10,000 lines.
 */
export class ResourceMetrics {
  readonly #sources: ResourceSource[] = [];
  /** Caches never change an object, so what a version says has to be written once. */
  readonly #written = new WeakMap<Manifest, Written>();

  watch(source: ResourceSource): void {
    this.#sources.push(source);
  }

  text(): string {
    const families = new Map<string, Family>();
    const family = ({ name, help }: { readonly name: string; readonly help: string }): Family => {
      const present = families.get(name) ?? { help, lines: [] };
      families.set(name, present);
      return present;
    };
    const [conditions, since] = [family(CONDITION), family(SINCE)];
    for (const { controller, gauges, resources, observedOf } of this.#sources) {
      const all = gauges.map((gauge) => ({ gauge, begin: `${gauge.name}{`, lines: family(gauge).lines }));
      for (const resource of resources()) {
        const written = this.#writtenOf(resource, controller);
        conditions.lines.push(written.conditions);
        since.lines.push(written.since);
        if (all.length === 0) continue;
        const observed = observedOf(resource);
        const given = { ...resource, spec: resource['spec'] };
        for (const { gauge, begin, lines } of all) {
          const value = valueOf(gauge, given, observed);
          if (value !== undefined) lines.push(begin, written.labels, `} ${value}\n`);
        }
      }
    }
    return [...families]
      .map(([name, { help, lines }]) => {
        const text = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
        return `# HELP ${name} ${text}\n# TYPE ${name} gauge\n${lines.join('')}`;
      })
      .join('');
  }

  #writtenOf(resource: Manifest, controller: string): Written {
    const present = this.#written.get(resource);
    if (present !== undefined) return present;
    const { namespace = '', name } = resource.metadata;
    const labels = `controller="${escaped(controller)}",namespace="${escaped(namespace)}",name="${escaped(name)}"`;
    const written = { labels, ...conditionsOf(resource, labels) };
    this.#written.set(resource, written);
    return written;
  }
}

function conditionsOf(resource: Manifest, labels: string): Pick<Written, 'conditions' | 'since'> {
  let [states, since] = ['', ''];
  const conditions: unknown = member(resource, 'status', 'conditions');
  for (const condition of Array.isArray(conditions) ? (conditions as readonly unknown[]) : []) {
    const type = member(condition, 'type');
    const state = VALUES.get(member(condition, 'status'));
    if (typeof type !== 'string' || type.length > LONGEST_TYPE || state === undefined) continue;
    const all = `{${labels},condition="${escaped(type)}"}`;
    states += `${CONDITION.name}${all} ${state}\n`;
    const seconds = Date.parse(String(member(condition, 'lastTransitionTime'))) / 1000;
    if (!Number.isNaN(seconds)) since += `${SINCE.name}${all} ${seconds}\n`;
  }
  return { conditions: states, since };
}

/** A fault in one figure, which may be in a user's function, must not take the others away. */
function valueOf(gauge: ResourceGauge<Resource>, resource: Resource, observed: Observed): number | undefined {
  try {
    return gauge.value(resource, observed);
  } catch {
    return undefined;
  }
}

function escaped(value: string): string {
  return /["\\\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;
}
