import { toJsonObject } from '../../lib/composition/json';
import { applyJsonPatch, type PatchOperation } from '../../lib/composition/json-patch';
import type { LiveObject, Manifest } from '../../lib/composition/manifest';
import { APPLIED_HASH_ANNOTATION, applyManifest, manifestHash, ownerOf } from '../../lib/composition/ownership';
import { Kinds } from '../../lib/composition/kinds';
import { formatPath, type Path } from '../../lib/composition/path';
import type { Step } from '../../lib/composition/plan';
import { autoscaler, config, deployment, desired, live, owner, planned } from './fixtures';
import { random, shuffleKeys } from './random';

const everything = desired.map((manifest) => live(manifest));

function actions(steps: readonly Step[]): readonly string[] {
  return steps.map((step) => `${step.action} ${(step.action === 'delete' ? step.live : step.manifest).kind}`);
}

function only(steps: readonly Step[]): Step {
  const [step, ...others] = steps;
  if (step === undefined || others.length > 0) {
    throw new Error(`expected one step, got ${actions(steps).join(', ')}`);
  }
  return step;
}

function withMetadata(object: LiveObject, metadata: object): LiveObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

function specOf(manifest: Manifest): object {
  return manifest['spec'] as object;
}

/** A live object after operations of RFC 6902. */
function patched(object: LiveObject, ...operations: readonly PatchOperation[]): LiveObject {
  return applyJsonPatch(toJsonObject(object), operations) as unknown as LiveObject;
}

/** Every leaf that a manifest sets, as JSON pointer and as path; not what makes it the object that it is. */
function leaves(
  value: unknown,
  pointer = '',
  path: Path = [],
): readonly { pointer: string; path: string; leaf: unknown }[] {
  if (typeof value !== 'object' || value === null) {
    return /^\/(apiVersion|kind|metadata\/name|metadata\/namespace)$/.test(pointer)
      ? []
      : [{ pointer, path: formatPath(path), leaf: value }];
  }
  return Object.entries(value).flatMap(([key, member]) => {
    const token = key.replaceAll('~', '~0').replaceAll('/', '~1');
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return leaves(member, `${pointer}/${token}`, at);
  });
}

const everyLeaf = desired.flatMap((manifest) =>
  leaves(manifest).map((leaf) => ({ manifest, kind: manifest.kind, ...leaf })),
);

test('what is missing is created, in the order of the synthesis, with owner and hash', () => {
  const steps = planned(desired, [], owner);
  expect(actions(steps)).toStrictEqual([
    'create ConfigMap',
    'create Deployment',
    'create Service',
    'create HorizontalPodAutoscaler',
  ]);
  expect(only(planned(desired.slice(0, 1), [], owner))).toMatchObject({
    manifest: {
      data: { 'a.conf': 'on' },
      metadata: {
        annotations: { [APPLIED_HASH_ANNOTATION]: expect.stringMatching(/^[0-9a-f]{32}$/) },
        ownerReferences: [
          {
            apiVersion: 'example.com/v1',
            kind: 'Cache',
            name: 'sessions',
            uid: 'uid-of-owner',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
    },
  });
});

test('what was applied is unchanged, no matter in which order the live objects come', () => {
  expect(planned(desired, everything.toReversed(), owner).map(({ action }) => action)).toStrictEqual(
    Array(4).fill('unchanged'),
  );
});

test('what was applied is unchanged in any order of keys', () => {
  const rng = random(7);
  const shuffled = desired.map((manifest) => shuffleKeys(manifest, rng));
  expect(JSON.stringify(shuffled)).not.toBe(JSON.stringify(desired));
  expect(new Set(planned(shuffled, everything, owner).map(({ action }) => action))).toStrictEqual(
    new Set(['unchanged']),
  );
});

test.each(everyLeaf)(
  '$kind: $path that somebody dropped gives an update that names it',
  ({ manifest, pointer, path }) => {
    const drifted = patched(live(manifest), { op: 'remove', path: pointer });
    expect(only(planned([manifest], [drifted], owner))).toMatchObject(drift(path));
  },
);

test.each(everyLeaf)(
  '$kind: $path that somebody changed gives an update that names it',
  ({ manifest, pointer, path, leaf }) => {
    const other = { number: Number(leaf) + 1, boolean: leaf === false }[typeof leaf as string] ?? `${String(leaf)}0`;
    const drifted = patched(live(manifest), { op: 'replace', path: pointer, value: other });
    expect(only(planned([manifest], [drifted], owner))).toMatchObject(drift(path));
  },
);

/** The step for a leaf that drifted. A list's entry is named where its key is gone, a list where it lost an entry. */
function drift(path: string): object {
  if (path === 'spec.selector.matchLabels.app') {
    return { action: 'conflict', reason: 'ImmutableField', changes: [{ path: 'spec.selector' }] };
  }
  const places = [path, path.replace(/(\.[^.[\]]+|\[[^[]+\])$/, '')];
  const named = new RegExp(`^(${places.map((place) => place.replaceAll(/[.[\]]/g, '\\$&')).join('|')})$`);
  return { action: 'update', reason: 'Drifted', changes: [{ path: expect.stringMatching(named) }] };
}

test('what others add changes nothing: fields, labels, finalizers, entries of keyed lists, a status', () => {
  const pod = '/spec/template/spec';
  const server = `${pod}/containers/0`;
  const other = { apiVersion: 'v1', kind: 'Other', name: 'o', uid: 'o' };
  const object = patched(
    live(deployment),
    { op: 'add', path: '/metadata/labels/theirs', value: 'yes' },
    { op: 'add', path: '/metadata/annotations/deployment.kubernetes.io~1revision', value: '3' },
    { op: 'add', path: '/metadata/finalizers', value: ['theirs'] },
    { op: 'add', path: '/metadata/ownerReferences/0', value: other },
    { op: 'add', path: '/status', value: { readyReplicas: 1 } },
    { op: 'add', path: '/spec/progressDeadlineSeconds', value: 600 },
    { op: 'add', path: `${pod}/restartPolicy`, value: 'Always' },
    { op: 'add', path: `${pod}/volumes/0`, value: { name: 'theirs', emptyDir: {} } },
    { op: 'add', path: `${pod}/tolerations/0/effect`, value: 'NoSchedule' },
    { op: 'add', path: `${server}/env/0`, value: { name: 'THEIRS', value: '1' } },
    { op: 'add', path: `${server}/env/2/valueFrom/fieldRef/apiVersion`, value: 'v1' },
    { op: 'add', path: `${server}/ports/0/protocol`, value: 'TCP' },
    { op: 'replace', path: `${server}/resources/requests/cpu`, value: '0.5' },
    { op: 'add', path: `${pod}/containers/0`, value: { name: 'injected', image: 'proxy' } },
  );
  expect(planned([deployment], [object], owner)).toMatchObject([{ action: 'unchanged' }]);
});

test('a manifest that is not the one applied last is an update, though no field differs: something was taken away', () => {
  const { replicas, ...spec } = { replicas: 1, ...specOf(deployment) };
  const step = only(planned([{ ...deployment, spec }], everything.slice(1, 2), owner));
  expect(replicas).toBe(2);
  expect(step).toMatchObject({ action: 'update', reason: 'Changed', changes: [] });
});

test('an update lists the fields with both values', () => {
  const step = only(planned([{ ...config, data: { 'a.conf': 'off' } }], everything.slice(0, 1), owner));
  expect(step).toMatchObject({
    action: 'update',
    reason: 'Changed',
    uid: 'uid-of-ConfigMap',
    changes: [{ path: 'data["a.conf"]', desired: 'off', live: 'on' }],
  });
});

test('what is ours and no longer wanted is deleted last, in the reverse order of the kinds, but an autoscaler first', () => {
  const second = live({ ...config, metadata: { name: 'b', namespace: 'team' } }, 'uid-of-b');
  const steps = planned(desired.slice(2, 3), [second, ...everything], owner);
  expect(actions(steps)).toStrictEqual([
    'delete HorizontalPodAutoscaler',
    'unchanged Service',
    'delete ConfigMap',
    'delete ConfigMap',
    'delete Deployment',
  ]);
  expect(steps.at(-1)).toMatchObject({ uid: 'uid-of-Deployment' });
});

test.each([
  ['has no owner', { ownerReferences: [] }],
  ['has no references at all', { ownerReferences: undefined }],
  [
    'has our uid, but not as controller',
    { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Cache', name: 'sessions', uid: 'uid-of-owner' }] },
  ],
  [
    'is controlled by another one',
    { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Cache', name: 'other', uid: 'x', controller: true }] },
  ],
  [
    'is controlled by an earlier one of our name',
    {
      ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Cache', name: 'sessions', uid: 'x', controller: true }],
    },
  ],
  ['is being deleted already', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
])('an unwanted object that %s is left as it is', (_, metadata) => {
  expect(planned([], [withMetadata(live(config), metadata)], owner)).toStrictEqual([]);
});

test('an object of a kind that is not declared is left as it is, though it is ours', () => {
  expect(planned([], [live({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } })], owner)).toStrictEqual([]);
});

test.each([
  ['v1', 'Namespace'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
])('a %s %s is never deleted, though somebody declared it', (apiVersion, kind) => {
  const children = [{ apiVersion, kind, plural: 'x' }];
  expect(planned([], [live({ apiVersion, kind, metadata: { name: 'n' } })], { ...owner, children })).toStrictEqual([]);
});

test.each([
  [
    'without a controller',
    [],
    'Deployment team/sessions exists and has no controller; expected it to be made by Cache sessions. Delete it, or ' +
      'add Deployment/sessions to the annotation inferno.io/adopt of Cache sessions to take it over',
  ],
  [
    'of another controller',
    [{ apiVersion: 'helm.example/v1', kind: 'Release', name: 'web', uid: 'x', controller: true }],
    'Deployment team/sessions belongs to Release web',
  ],
  [
    'of another resource of our kind',
    [{ apiVersion: 'example.com/v1', kind: 'Cache', name: 'pages', uid: 'x', controller: true }],
    'Deployment team/sessions belongs to Cache pages',
  ],
])('a wanted object that exists %s is a conflict that names whose it is', (_, ownerReferences, message) => {
  const object = withMetadata(live(deployment), { ownerReferences });
  expect(planned([deployment], [object], owner)).toMatchObject([
    { action: 'conflict', reason: 'NameTaken', message, live: object },
  ]);
});

test('an object that nobody controls is taken over where the resource asks for it by name', () => {
  const object = live(deployment);
  const uncontrolled = withMetadata(object, { ownerReferences: [] });
  const adopting = { ...owner, adopts: ['Service/sessions', 'Deployment/sessions'] };
  const [step] = planned([deployment], [uncontrolled], adopting);
  expect(step).toMatchObject({ action: 'update', reason: 'Adopted', uid: object.metadata.uid });
  const ending = withMetadata(uncontrolled, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  expect(planned([deployment], [ending], adopting)).toMatchObject([{ action: 'wait' }]);
  const elsewhere = { ...owner, adopts: ['Deployment/session', 'StatefulSet/sessions'] };
  expect(planned([deployment], [uncontrolled], elsewhere)).toMatchObject([{ action: 'conflict', reason: 'NameTaken' }]);
});

test('an object of another controller is never taken over', () => {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Release', name: 'web', uid: 'x', controller: true }];
  const object = withMetadata(live(deployment), { ownerReferences });
  expect(planned([deployment], [object], { ...owner, adopts: ['Deployment/sessions'] })).toMatchObject([
    { action: 'conflict', reason: 'NameTaken' },
  ]);
});

test('a wanted object of an earlier resource of the same name is waited for, as it goes with its owner', () => {
  const ownerReferences = [
    { apiVersion: 'example.com/v1beta1', kind: 'Cache', name: 'sessions', uid: 'old', controller: true },
  ];
  const step = only(planned([config], [withMetadata(live(config), { ownerReferences })], owner));
  expect(step).toMatchObject({
    action: 'wait',
    message: 'ConfigMap team/sessions still belongs to an earlier Cache sessions, and goes with it',
  });
});

test('a wanted object that is being deleted is waited for', () => {
  const object = withMetadata(live(config), { deletionTimestamp: '2026-01-01T00:00:00Z' });
  expect(planned([config], [object], owner)).toMatchObject([
    { action: 'wait', message: 'ConfigMap team/sessions is being deleted' },
  ]);
});

test('another selector is a conflict, as it never changes; so is one that only lost a label', () => {
  const spec = specOf(deployment);
  for (const selector of [{ matchLabels: { app: 'other' } }, { matchLabels: {} }]) {
    const step = only(planned([{ ...deployment, spec: { ...spec, selector } }], everything.slice(1, 2), owner));
    expect(step).toMatchObject({
      action: 'conflict',
      reason: 'ImmutableField',
      message:
        'Deployment team/sessions has another spec.selector, which never changes; delete it to have it made anew',
      changes: [{ path: 'spec.selector', desired: selector, live: { matchLabels: { app: 'sessions' } } }],
    });
  }
});

test('objects of the same name in another namespace, group or kind are other objects', () => {
  const here = desired.slice(0, 1);
  const elsewhere = withMetadata(live(config), { namespace: 'other' });
  expect(
    actions(planned(here, [{ ...elsewhere, metadata: { ...elsewhere.metadata, ownerReferences: [] } }], owner)),
  ).toStrictEqual(['create ConfigMap']);
  const foreign = {
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: { name: 'sessions', namespace: 'team' },
  };
  expect(
    actions(planned(desired.slice(2, 3), [{ ...foreign, metadata: { ...foreign.metadata, uid: 'k' } }], owner)),
  ).toStrictEqual(['create Service']);
});

test('an object that is seen in another version of its kind is the same object', () => {
  const v1 = { ...live(autoscaler), apiVersion: 'autoscaling/v1' };
  expect(actions(planned(desired.slice(3), [v1], owner))).toStrictEqual(['unchanged HorizontalPodAutoscaler']);
});

test('the hash does not depend on the order of keys, and does on every value', () => {
  const manifest = deployment;
  const rng = random(3);
  expect(manifestHash(shuffleKeys(manifest, rng))).toBe(manifestHash(manifest));
  expect(manifestHash({ ...manifest, metadata: { ...manifest.metadata, annotations: { note: 'second' } } })).not.toBe(
    manifestHash(manifest),
  );
});

test('applying keeps the labels, annotations and owners that a manifest has', () => {
  const other = { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 's' };
  const manifest = {
    ...deployment,
    metadata: { name: 'a', annotations: { note: 'x' }, ownerReferences: [other] },
  };
  expect(applyManifest(manifest, owner).metadata).toMatchObject({
    annotations: { note: 'x' },
    ownerReferences: [other, { uid: 'uid-of-owner', controller: true }],
  });
  expect(manifest.metadata.annotations).toStrictEqual({ note: 'x' });
});

test('only a resource from a cluster can own', () => {
  const resource = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'a' }, spec: {} };
  const composition = { children: [Kinds.Secret] } as never;
  expect(() => ownerOf(composition, resource)).toThrow(
    'A a has no metadata.uid; expected a resource that was read from a cluster',
  );
  expect(ownerOf(composition, { ...resource, metadata: { name: 'a', uid: 'u' } })).toStrictEqual({
    apiVersion: 'a/v1',
    kind: 'A',
    name: 'a',
    uid: 'u',
    children: [Kinds.Secret],
  });
});
