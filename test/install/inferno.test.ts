import { readFileSync } from 'node:fs';
import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { parseArguments } from '../../cli/arguments';
import { operatorCommand } from '../../cli/commands/operator/command';
import { Kinds, type Composition, type Manifest } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib/inference';
import { infernoImage } from '../../lib/inference/engines/fake';
import { Inferno, installManifests, operatorRules, type InfernoProps } from '../../lib/install';
import { readSettings } from '../../operator/settings/read';
import { version } from '../../package.json';

/** Such as `Deployment inferno-system/inferno-controller-manager`. */
function names(objects: readonly Manifest[]): readonly string[] {
  return objects.map(({ kind, metadata: { name, namespace } }) =>
    namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`,
  );
}

function find(objects: readonly Manifest[], kind: string): Manifest {
  const found = objects.find((object) => object.kind === kind);
  if (found === undefined) throw new Error(`no ${kind} among ${names(objects).join(', ')}`);
  return found;
}

function pod(props: InfernoProps = {}): {
  readonly containers: readonly [Readonly<Record<string, unknown>>];
  readonly [field: string]: unknown;
} {
  const { spec } = find(installManifests(props), 'Deployment') as never as {
    readonly spec: { readonly template: { readonly spec: ReturnType<typeof pod> } };
  };
  return spec.template.spec;
}

test('without a word everything is there, definitions before the policies that protect them', () => {
  expect(names(installManifests())).toEqual([
    'Namespace inferno-system',
    'CustomResourceDefinition inferenceservices.inference.inferno.io',
    'ValidatingAdmissionPolicy keep-inferenceservices.inference.inferno.io',
    'ValidatingAdmissionPolicyBinding keep-inferenceservices.inference.inferno.io',
    'ServiceAccount inferno-system/inferno-controller-manager',
    'ClusterRole inferno-system-inferno-controller-manager',
    'ClusterRoleBinding inferno-system-inferno-controller-manager',
    'Role inferno-system/inferno-controller-manager-leader-election',
    'RoleBinding inferno-system/inferno-controller-manager-leader-election',
    'PriorityClass inferno-system-inferno-controller-manager',
    'PodDisruptionBudget inferno-system/inferno-controller-manager',
    'Service inferno-system/inferno-controller-manager-metrics',
    'NetworkPolicy inferno-system/inferno-controller-manager',
    'Deployment inferno-system/inferno-controller-manager',
  ]);
});

test.each<[InfernoProps, string]>([
  [{ createNamespace: false }, 'Namespace'],
  [{ crds: false }, 'CustomResourceDefinition'],
  [{ crds: false }, 'ValidatingAdmissionPolicy'],
  [{ crds: false }, 'ValidatingAdmissionPolicyBinding'],
  [{ priorityClass: false }, 'PriorityClass'],
  [{ priorityClassName: 'important' }, 'PriorityClass'],
  [{ podDisruptionBudget: false }, 'PodDisruptionBudget'],
  [{ networkPolicy: false }, 'NetworkPolicy'],
  [{ watchNamespaces: ['team'] }, 'ClusterRole'],
])('with %j there is no %s', (props, kind) => {
  expect(installManifests().map((object) => object.kind)).toContain(kind);
  expect(installManifests(props).map((object) => object.kind)).not.toContain(kind);
});

test('the image is that of this version', () => {
  expect(infernoImage.slice(infernoImage.lastIndexOf(':') + 1)).toBe(version);
  expect(pod().containers[0]['image']).toBe(infernoImage);
});

test('the selector is small, and what is set never gets into it', () => {
  const selector = { 'app.kubernetes.io/name': 'inferno', 'app.kubernetes.io/component': 'operator' };
  const objects = installManifests({ podLabels: { team: 'platform' }, image: 'example.com/inferno:2' });
  expect(find(objects, 'Deployment')).toMatchObject({
    spec: {
      selector: { matchLabels: selector },
      template: { metadata: { labels: { ...selector, team: 'platform' } } },
    },
  });
  expect(JSON.stringify(objects)).not.toContain('app.kubernetes.io/instance');
});

test('the operator always leads by a Lease, and rolls without a gap', () => {
  expect(pod().containers[0]['args']).toContain('--leader-elect');
  expect(find(installManifests(), 'Deployment')).toMatchObject({
    spec: { replicas: 1, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  });
});

test('the entry point of the image is the command, so that there are only arguments', () => {
  const { args, command } = pod({ watchNamespaces: ['a', 'b', 'a'], logLevel: 'debug', args: ['--sync-period=1h'] })
    .containers[0];
  expect(command).toBeUndefined();
  expect(args).toEqual([
    'operator',
    '--leader-elect',
    '--metrics-bind-address=:8080',
    '--health-probe-bind-address=:8081',
    '--log-level=debug',
    '--watch-namespace=a,b',
    '--sync-period=1h',
  ]);
});

test('the operator takes these arguments, and serves where Service and probes look', () => {
  const { args, ports } = pod({ watchNamespaces: ['a', 'b'], logLevel: 'error' }).containers[0];
  const { values } = parseArguments(operatorCommand, (args as readonly string[]).slice(1));
  expect(readSettings({ flags: values, env: {} })).toMatchObject({
    leaderElect: true,
    watchNamespaces: ['a', 'b'],
    logLevel: 'error',
    metricsBindAddress: ':8080',
    healthProbeBindAddress: ':8081',
  });
  expect(ports).toMatchObject([
    { name: 'metrics', containerPort: 8080 },
    { name: 'health', containerPort: 8081 },
  ]);
});

test('the Lease of the permissions is the one that the operator takes by default', () => {
  const { leaderElectionId } = readSettings({ flags: new Map(), env: {} });
  const role = installManifests().find(({ kind }) => kind === 'Role');
  expect(JSON.stringify(role)).toContain(`"resourceNames":["${leaderElectionId}"]`);
});

test('it is given more time to end than it takes', () => {
  const { shutdownMs } = readSettings({ flags: new Map(), env: {} });
  expect(Number(pod()['terminationGracePeriodSeconds']) * 1000).toBeGreaterThanOrEqual(shutdownMs + 5000);
});

test('several operators are spread over nodes, one has nothing to be spread', () => {
  expect(pod()['topologySpreadConstraints']).toBeUndefined();
  expect(pod({ replicas: 2 })['topologySpreadConstraints']).toMatchObject([{ topologyKey: 'kubernetes.io/hostname' }]);
  const own = [{ maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }];
  expect(pod({ replicas: 2, topologySpreadConstraints: own })['topologySpreadConstraints']).toEqual(own);
});

test('a priority class of its own stands above what names none and below the system', () => {
  const { value, metadata } = find(installManifests(), 'PriorityClass');
  expect(value).toBeGreaterThan(0);
  expect(value).toBeLessThan(2_000_000_000);
  expect(pod()['priorityClassName']).toBe(metadata.name);
  expect(pod({ priorityClassName: 'important' })['priorityClassName']).toBe('important');
  expect(pod({ priorityClass: false })['priorityClassName']).toBeUndefined();
});

test('the permissions are those of the compositions', () => {
  const cache: Composition = { ...inferenceServiceComposition, children: [Kinds.StatefulSet] };
  expect(find(installManifests({ compositions: [cache] }), 'ClusterRole')['rules']).toEqual(operatorRules([cache]));
});

test('each composition brings its definition and a policy that names it', () => {
  const { crd } = inferenceServiceComposition;
  const cache: Composition = {
    ...inferenceServiceComposition,
    crd: { ...crd, metadata: { name: 'caches.example.com' } },
  };
  const installed = names(installManifests({ compositions: [inferenceServiceComposition, cache] }));
  expect(installed).toContain('CustomResourceDefinition caches.example.com');
  expect(installed).toContain('ValidatingAdmissionPolicy keep-caches.example.com');
  expect(installed).toContain('ValidatingAdmissionPolicy keep-inferenceservices.inference.inferno.io');
});

test('in a definition nothing but its metadata is other than what inferno crd prints', () => {
  const { metadata, ...definition } = find(installManifests(), 'CustomResourceDefinition');
  const { metadata: plain, ...expected } = inferenceServiceComposition.crd;
  expect(definition).toEqual(expected);
  expect(metadata).toMatchObject(plain);
});

test('two operators in two namespaces share only the definition and its policy', () => {
  const of = (namespace: string): readonly string[] => names(installManifests({ namespace }));
  expect(of('gold').filter((name) => of('silver').includes(name))).toEqual([
    'CustomResourceDefinition inferenceservices.inference.inferno.io',
    'ValidatingAdmissionPolicy keep-inferenceservices.inference.inferno.io',
    'ValidatingAdmissionPolicyBinding keep-inferenceservices.inference.inferno.io',
  ]);
});

test("the chart's namespace is the operator's, and stays away from what has none", () => {
  const chart = new Chart(new App(), 'chart', { namespace: 'platform' });
  new Inferno(chart, 'inferno');
  expect(names(chart.toJson() as readonly Manifest[])).toEqual(names(installManifests({ namespace: 'platform' })));
});

test('every object can be found and patched', () => {
  const chart = new Chart(new App(), 'chart');
  const inferno = new Inferno(chart, 'inferno', { watchNamespaces: ['a', 'b'] });
  inferno.deployment.addJsonPatch(JsonPatch.add('/spec/minReadySeconds', 5));
  const role = inferno.node.findChild('Role.b.inferno-system-inferno-controller-manager');
  ApiObject.of(role).metadata.addLabel('team', 'platform');
  const objects = chart.toJson() as readonly Manifest[];
  expect(find(objects, 'Deployment')).toMatchObject({ spec: { minReadySeconds: 5 } });
  expect(objects.filter(({ metadata }) => metadata.labels?.['team'] === 'platform')).toHaveLength(1);
});

test('monitoring is for the namespaces that are watched, and carries the labels that Prometheus looks for', () => {
  const plain = installManifests({ watchNamespaces: ['team'] });
  const monitored = installManifests({
    watchNamespaces: ['team'],
    monitoring: true,
    monitoringLabels: { release: 'prometheus' },
  });
  const further = monitored.slice(plain.length);
  expect(monitored.slice(0, plain.length)).toEqual(plain);
  expect(further.length).toBeGreaterThan(1);
  for (const { metadata } of further) {
    expect(metadata).toMatchObject({ namespace: 'inferno-system', labels: { release: 'prometheus' } });
  }
  expect(JSON.stringify(further)).toContain('"matchNames":["team"]');
});

test.each<[InfernoProps, string]>([
  [{ namespace: 'Inferno' }, 'namespace must be at most 63 of a-z, 0-9 and "-"'],
  [{ watchNamespaces: ['team-a', '*'] }, 'watchNamespaces must be at most 63'],
  [{ image: 'my image' }, 'image must be the name of an image'],
  [{ image: '' }, 'REGISTRY/PATH@sha256:DIGEST, got ""'],
  [{ image: 'Inferno' }, 'in small letters'],
  [{ namespace: 'kube-system' }, 'namespace must be another one, or come without being made: kube-system'],
  [{ namespace: 'default', createNamespace: true }, 'namespace must be another one'],
  [{ replicas: -1 }, 'replicas must be a whole number, 0 or more and at most 2147483647, got -1'],
  [{ replicas: 1.5 }, 'replicas must be a whole number, 0 or more and at most 2147483647, got 1.5'],
  [{ logLevel: 'trace' as 'debug' }, 'logLevel must be one of error, info, debug, got "trace"'],
  [{ compositions: [] }, 'compositions must name at least one composition'],
  [{ podLabels: { 'app.kubernetes.io/name': 'x' } }, 'podLabels must leave app.kubernetes.io/name alone'],
  [{ podLabels: { team: 'a=b' } }, 'podLabels must have as value of team what is empty or at most 63 letters'],
  [{ podLabels: { 'a b': '' } }, 'podLabels must have as key a name of at most 63 letters'],
  [{ nodeSelector: { pool: '-gpu' } }, 'nodeSelector must have as value of pool'],
  [{ monitoringLabels: { release: 'a b' } }, 'monitoringLabels must have as value of release'],
  [{ resources: { limits: { memory: '1Gib' } } }, 'resources.limits must have for memory an amount such as 500m, 2 or'],
  [{ resources: { requests: { memory: -1 } } }, 'resources.requests must have for memory an amount such as 500m'],
  [
    { resources: { requests: { memory: '1Gi' }, limits: { memory: '1000Mi' } } },
    'resources.requests must have for memory no more than its limit "1000Mi", got "1Gi"',
  ],
  [{ args: ['--namespace=a'] }, 'args must leave --namespace alone, as it is watchNamespaces, got "--namespace=a"'],
  [{ args: ['-n', 'a'] }, 'args must leave -n alone'],
  [{ args: ['-nteam'] }, 'args must leave -n alone, as it is watchNamespaces, got "-nteam"'],
  [{ env: [{ name: 'INFERNO_LEADER_ELECTION_ID', value: 'x' }] }, 'env must leave INFERNO_LEADER_ELECTION_ID alone'],
  [{ podAnnotations: { a: 1 as unknown as string } }, 'podAnnotations must have texts as values, got 1'],
  [{ imagePullSecrets: [{ name: '' }] }, 'imagePullSecrets must have names of a-z'],
  [{ monitoringLabels: { 'app.kubernetes.io/name': 'x' } }, 'monitoringLabels must leave app.kubernetes.io/name alone'],
  [{ args: ['--leader-election-id=x'] }, 'args must leave --leader-election-id alone'],
  [{ args: ['--watch-namespace', 'a'] }, 'args must leave --watch-namespace alone, as it is watchNamespaces'],
  [{ args: ['--kube-api-qsp=5'] }, 'args must have only flags of inferno operator, got "--kube-api-qsp=5"'],
  [{ args: ['--no-builtin', 'true'] }, 'args must have only flags of inferno operator, got "true"'],
  [{ args: ['--metrics-bind-address', '0'] }, 'args must leave --metrics-bind-address alone'],
])('%j is refused, and the error says what was expected', (props, message) => {
  expect(() => installManifests(props)).toThrow(message);
});

test('a namespace of Kubernetes is taken as it is, if it is not made', () => {
  const objects = installManifests({ namespace: 'kube-system', createNamespace: false });
  expect(objects.some(({ kind }) => kind === 'Namespace')).toBe(false);
});

test('further flags may come with their values in arguments of their own, which may begin with a dash', () => {
  const further = ['--composition', '-odd.js', '-l', 'team=a', '-ltier=b', '--no-builtin', '--kube-api-qps=5'];
  expect(pod({ args: further }).containers[0]['args']).toEqual(expect.arrayContaining(further));
});

test('an image may have a port, a tag and a digest', () => {
  const image = `registry.example.com:5000/team/inferno:1@sha256:${'0'.repeat(64)}`;
  expect(pod({ image }).containers[0]['image']).toBe(image);
});

test('every prop says what it means and what stands in for it', () => {
  const source = readFileSync('lib/install/props.ts', 'utf8');
  const members = [...source.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name);
  expect(members.length).toBeGreaterThan(20);
  for (const name of members) {
    const [, comment = ''] = new RegExp(String.raw`/\*\*((?:(?!\*/)[^])*)\*/\s*readonly ${name}\?:`).exec(source) ?? [];
    expect(`${name}: ${comment}`).toMatch(/\w[^]*@default \S/);
  }
});
