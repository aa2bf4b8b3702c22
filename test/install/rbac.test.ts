import { stringify } from 'yaml';
import { inferenceServiceComposition } from '../../lib';
import { Kinds, type Composition } from '../../lib/composition';
import { leaderElectionRules, operatorRbac, operatorRules } from '../../lib/install/rbac';

const external = { ensure: async () => undefined, remove: async () => undefined };

test('the operator of InferenceServices may do no more than this', () => {
  expect(
    operatorRules([inferenceServiceComposition]).map((rule) =>
      stringify(rule, { collectionStyle: 'flow', lineWidth: 0 }).trim(),
    ),
  ).toEqual([
    '{ apiGroups: [ "" ], resources: [ pods ], verbs: [ list, watch ] }',
    '{ apiGroups: [ "" ], resources: [ services ], verbs: [ get, list, watch, create, patch, delete ] }',
    '{ apiGroups: [ apps ], resources: [ deployments ], verbs: [ get, list, watch, create, patch, delete ] }',
    '{ apiGroups: [ autoscaling ], resources: [ horizontalpodautoscalers ], verbs: [ get, list, watch, create, patch, delete ] }',
    '{ apiGroups: [ events.k8s.io ], resources: [ events ], verbs: [ create, patch ] }',
    '{ apiGroups: [ inference.inferno.io ], resources: [ inferenceservices ], verbs: [ get, list, watch ] }',
    '{ apiGroups: [ inference.inferno.io ], resources: [ inferenceservices/finalizers ], verbs: [ update ] }',
    '{ apiGroups: [ inference.inferno.io ], resources: [ inferenceservices/status ], verbs: [ patch ] }',
  ]);
});

test('only a composition with something external may change its resources', () => {
  const rules = operatorRules([{ ...inferenceServiceComposition, external }]);
  expect(rules).toContainEqual({
    apiGroups: ['inference.inferno.io'],
    resources: ['inferenceservices'],
    verbs: ['get', 'list', 'watch', 'patch'],
  });
});

test('a kind that one composition makes and another looks at is granted once, with the verbs of both', () => {
  const looks: Composition = {
    ...inferenceServiceComposition,
    children: [Kinds.Job, Kinds.ConfigMap],
    observes: [{ kind: Kinds.Service, labelSelector: '', resourceName: () => undefined }],
  };
  const services = operatorRules([inferenceServiceComposition, looks]).filter(({ resources }) =>
    resources.includes('services'),
  );
  expect(services).toEqual([
    {
      apiGroups: [''],
      resources: ['configmaps', 'services'],
      verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    },
  ]);
});

test('no rule has a wildcard, and none touches Secrets or roles', () => {
  const text = JSON.stringify(operatorRbac({ compositions: [inferenceServiceComposition], namespace: 'system' }));
  expect(text).not.toContain('*');
  expect(text).not.toContain('secrets');
  expect(text).not.toContain('escalate');
});

test('the Lease can be read and renewed only under its name', () => {
  expect(leaderElectionRules('mine')).toEqual([
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: ['mine'], verbs: ['get', 'update'] },
  ]);
});

test('confined to namespaces it gets a Role in each and nothing in the whole cluster', () => {
  const objects = operatorRbac({
    compositions: [inferenceServiceComposition],
    namespace: 'system',
    watchNamespaces: ['a', 'b', 'a'],
  });
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? '-'}/${metadata.name}`)).toEqual([
    'ServiceAccount system/inferno-controller-manager',
    'Role a/system-inferno-controller-manager',
    'RoleBinding a/system-inferno-controller-manager',
    'Role b/system-inferno-controller-manager',
    'RoleBinding b/system-inferno-controller-manager',
    'Role system/inferno-controller-manager-leader-election',
    'RoleBinding system/inferno-controller-manager-leader-election',
  ]);
});

test('operators of the same name in two namespaces do not share a ClusterRole', () => {
  const names = ['one', 'two'].map(
    (namespace) =>
      operatorRbac({ compositions: [inferenceServiceComposition], namespace }).find(
        ({ kind }) => kind === 'ClusterRole',
      )?.metadata.name,
  );
  expect(names).toEqual(['one-inferno-controller-manager', 'two-inferno-controller-manager']);
});
