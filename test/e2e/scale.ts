import { setTimeout as sleep } from 'node:timers/promises';
import type { Component } from '../../tools/local-cluster';
import { collection, type Kind, type Live, type Pod } from './objects';
import { AUDIT, cpuMs, OperatorProcess, type OperatorRequest } from './operator-process';
import { Inferno, NAMESPACE, OPERATOR, SYSTEM } from './support';

/** What the operator did and what it took, in one part of the run. */
export interface Phase {
  readonly seconds: number;
  /** CPU time of the operator, in milliseconds. */
  readonly cpuMs: number;
  /** Its requests by verb, those for its lease left out. */
  readonly requests: Readonly<Record<string, number>>;
  readonly writes: number;
  /** Objects that it made, events included. */
  readonly made: number;
  /** Resident memory at the end, in MB. */
  readonly residentMb: number;
  /** The longest pause of its event loop, in milliseconds, with the time in which a busy machine gave it no CPU. */
  readonly longestPauseMs: number;
  /** CPU time of all else that runs the cluster, in milliseconds. */
  readonly others: Readonly<Record<string, number>>;
}

export interface Scale {
  readonly services: number;
  /** From the first request of who creates them until all were Ready. */
  readonly created: Phase;
  /** Half a minute in which nothing is changed. */
  readonly idle: Phase;
  /** A new operator takes over from the old one, as in an upgrade; from its start until it had nothing more to ask for. */
  readonly restarted: Phase & { readonly quietMs: number };
  /** Until nothing was left. */
  readonly deleted: Phase;
  /** The most that the first operator's memory has been, in MB. */
  readonly peakMb: number;
  readonly complaints: readonly string[];
}

/** Each node's share; one process serves the pods of a node. */
const NODES = ['one', 'two'];
const LIGHT = 'test.local/light:1';
/** Requests at once of who creates the resources; GitOps tools send fewer. */
const PARALLEL = 16;
const IDLE_MS = 30_000;
const LOOK_MS = 2000;
/** For each part of the run. */
const LONGEST_SECONDS = 600;
const COMPONENTS: readonly Component[] = ['kube-apiserver', 'etcd', 'kube-controller-manager', 'kube-scheduler'];
const CHILDREN: readonly Kind[] = [
  'Deployment',
  'ReplicaSet',
  'Pod',
  'Service',
  'EndpointSlice',
  'HorizontalPodAutoscaler',
];
const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Runs so many model servers in a cluster of their own, from their creation to their end. */
export async function scale(services: number, log: (line: string) => void = () => undefined): Promise<Scale> {
  const inferno = await Inferno.start({
    nodes: NODES.map((name) => ({ name, pods: 1100, cpu: '400' })),
    moreImages: [{ kind: 'light', name: LIGHT }],
    audit: AUDIT,
    flags: {
      // Without a metrics API each look of an autoscaler asks the API server for all its groups anew.
      'kube-controller-manager': ['--horizontal-pod-autoscaler-sync-period=60s'],
      // With its own limit of 50 requests a second the time would be the scheduler's.
      'kube-scheduler': ['--kube-api-qps=200', '--kube-api-burst=400'],
    },
  });
  try {
    return await new Run(inferno, services, log).all();
  } finally {
    await inferno.stop();
  }
}

class Run {
  readonly #inferno: Inferno;
  readonly #services: number;
  readonly #log: (line: string) => void;

  constructor(inferno: Inferno, services: number, log: (line: string) => void) {
    this.#inferno = inferno;
    this.#services = services;
    this.#log = log;
  }

  async all(): Promise<Scale> {
    const first = await OperatorProcess.of(this.#inferno);
    await this.#quiet(first);
    const created = await this.#phase('created', first, () => this.#create());
    await this.#quiet(first);
    const idle = await this.#phase('idle', first, () => sleep(IDLE_MS));
    const peakMb = first.residentMb('VmHWM');
    const { next, ...restarted } = await this.#restart(first);
    const deleted = await this.#phase('deleted', next, () => this.#delete());
    // Controllers that are in such a hurry say a lot about conflicts with themselves.
    const complaints = (await this.#inferno.complaints()).filter((line) => line.startsWith('pod '));
    return { services: this.#services, created, idle, restarted, deleted, peakMb, complaints };
  }

  async #create(): Promise<void> {
    const rest = Array.from({ length: this.#services }, (_, place) => resource(place)).values();
    const { controlPlane } = this.#inferno.cluster;
    const worker = async (): Promise<void> => {
      for (const body of rest) {
        const path = `${collection('InferenceService', NAMESPACE)}/${body.metadata.name}?fieldManager=gitops&force=true`;
        // A worker applies one after the other.
        // oxlint-disable-next-line no-await-in-loop
        const answer = await controlPlane.request('PATCH', path, body, {
          'content-type': 'application/apply-patch+yaml',
        });
        if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    this.#log(`  all ${this.#services} are stored`);
    await this.#inferno.until('all InferenceServices to be Running', () => this.#allReady(), LONGEST_SECONDS);
    const all = await this.#inferno.list('InferenceService');
    const others = all.filter((each) => !isReady(each)).map(({ metadata }) => metadata.name);
    if (others.length > 0) throw new Error(`Running, but not Ready for the newest spec: ${others.join(', ')}`);
  }

  async #allReady(): Promise<boolean> {
    // Looking costs the same two cores as everything else, so it is done seldom, and what is looked at is small.
    await sleep(LOOK_MS);
    const { body } = await this.#inferno.cluster.controlPlane.request<Table>(
      'GET',
      `${collection('InferenceService', NAMESPACE)}?includeObject=None`,
      undefined,
      { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    );
    const place = body.columnDefinitions.findIndex(({ name }) => name === 'Phase');
    return body.rows.length === this.#services && body.rows.every(({ cells }) => cells[place] === 'Running');
  }

  async #delete(): Promise<void> {
    await this.#inferno.cluster.controlPlane.request('DELETE', collection('InferenceService', NAMESPACE));
    for (const kind of CHILDREN) {
      // oxlint-disable-next-line no-await-in-loop -- one kind after the other, all have to go anyway
      await this.#inferno.until(
        `the end of each ${kind}`,
        async () => {
          await sleep(LOOK_MS);
          return (await this.#inferno.list(kind)).length === 0;
        },
        LONGEST_SECONDS,
      );
    }
  }

  async #restart(old: OperatorProcess): Promise<Scale['restarted'] & { readonly next: OperatorProcess }> {
    const others = this.#othersMs();
    await this.#inferno.kubectl('rollout', 'restart', 'deployment', OPERATOR, '-n', SYSTEM);
    await this.#inferno.until(`the end of ${old.name}`, async () => {
      const pods = await this.#inferno.list<Pod>('Pod', SYSTEM);
      return pods.every(({ metadata }) => metadata.name !== old.name);
    });
    const next = await OperatorProcess.of(this.#inferno);
    await this.#quiet(next);
    const requests = next.requests();
    const quietMs = Math.max(...requests.map(({ verb, came, answered }) => (verb === 'watch' ? came : answered)));
    const phase = {
      seconds: (Date.now() - next.started) / 1000,
      cpuMs: next.cpuMs(),
      ...counted(requests),
      residentMb: next.residentMb(),
      longestPauseMs: await next.longestPauseMs(),
      others: difference(others, this.#othersMs()),
      quietMs: quietMs - next.started,
    };
    this.#log(`restarted: ${JSON.stringify(phase)}`);
    return { ...phase, next };
  }

  async #phase(name: string, operator: OperatorProcess, work: () => Promise<unknown>): Promise<Phase> {
    this.#log(`${name} …`);
    await operator.longestPauseMs();
    const before = { cpuMs: operator.cpuMs(), requests: operator.requests().length, others: this.#othersMs() };
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1000;
    const phase = {
      seconds,
      cpuMs: operator.cpuMs() - before.cpuMs,
      ...counted(operator.requests().slice(before.requests)),
      residentMb: operator.residentMb(),
      longestPauseMs: await operator.longestPauseMs(),
      others: difference(before.others, this.#othersMs()),
    };
    this.#log(`  ${JSON.stringify(phase)}`);
    return phase;
  }

  /** Waits until the operator has written nothing for some seconds. */
  async #quiet(operator: OperatorProcess): Promise<void> {
    let before = -1;
    let since = Date.now();
    await this.#inferno.until(
      'the operator to be quiet',
      async () => {
        await sleep(300);
        const now = operator.requests().length;
        if (now !== before) since = Date.now();
        before = now;
        return now > 0 && Date.now() - since > 3000;
      },
      120,
    );
  }

  #othersMs(): Readonly<Record<string, number>> {
    const { cluster } = this.#inferno;
    return Object.fromEntries([
      ...COMPONENTS.map((component) => [component, cpuMs(cluster.controlPlane.pid(component))]),
      ...NODES.map((name) => [`node ${name}`, cpuMs(cluster.nodePid(name))]),
    ]) as Readonly<Record<string, number>>;
  }
}

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: object;
}

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

function counted(requests: readonly OperatorRequest[]): Pick<Phase, 'requests' | 'writes' | 'made'> {
  const verbs: Record<string, number> = {};
  for (const { verb } of requests) verbs[verb] = (verbs[verb] ?? 0) + 1;
  const writes = requests.filter(({ verb }) => WRITES.has(verb));
  return { requests: verbs, writes: writes.length, made: writes.filter(({ code }) => code === 201).length };
}

function difference(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
}

function isReady({ metadata, status }: Live): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.['status'] === 'True' && status?.['observedGeneration'] === metadata.generation;
}

function resource(place: number): Resource {
  // As many requests as the probes of a thousand servers make by default would be all that two cores have time for.
  const probe = { periodSeconds: 20, timeoutSeconds: 10 };
  return {
    apiVersion: 'inference.inferno.io/v1alpha1',
    kind: 'InferenceService',
    metadata: { name: `model-${place}`, namespace: NAMESPACE },
    spec: {
      image: LIGHT,
      model: { uri: `demo-${place}`, framework: 'fake', version: '1' },
      drain: { preStopSeconds: 0, shutdownSeconds: 1 },
      readinessProbe: probe,
      livenessProbe: { ...probe, periodSeconds: 60 },
      ...(place % 3 === 0
        ? { replicas: { min: 1, max: 2 }, autoscaling: { enabled: true, targetConcurrency: 4 } }
        : { replicas: { min: 1, max: 1 } }),
    },
  };
}
