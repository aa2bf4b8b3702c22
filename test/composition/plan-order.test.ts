import type { LiveObject, Manifest } from '../../lib/composition/manifest';
import { Kinds } from '../../lib/composition/kinds';
import { applyManifest, type Owner } from '../../lib/composition/ownership';
import type { Step } from '../../lib/composition/plan';
import { autoscaler, deployment, planned, service } from './fixtures';

const owner: Owner = {
  apiVersion: 'example.com/v1',
  kind: 'Cache',
  name: 'sessions',
  uid: 'uid-of-owner',
  children: [Kinds.ConfigMap, Kinds.Job, Kinds.Deployment, Kinds.Service, Kinds.HorizontalPodAutoscaler],
};

function named(name: string): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'team' } };
}

const job: Manifest = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate', namespace: 'team' } };
const complete = { conditions: [{ type: 'Complete', status: 'True' }] };

/** A child as it was applied, after others where there are any. */
function live(manifest: Manifest, more: object = {}, after: readonly Manifest[] = []): LiveObject {
  const applied = applyManifest(manifest, owner, after);
  return structuredClone({
    ...applied,
    ...more,
    metadata: { ...applied.metadata, uid: `uid-${manifest.metadata.name}` },
  });
}

function texts(steps: readonly Step[]): readonly string[] {
  return steps.map((step) => {
    const { kind, metadata } = step.action === 'delete' ? step.live : step.manifest;
    return `${step.action}${step.action === 'wait' ? ` (${step.reason})` : ''} ${kind} ${metadata.name}`;
  });
}

function waitOf(steps: readonly Step[]): string {
  return steps.flatMap((step) => (step.action === 'wait' ? [step.message] : [])).join('\n');
}

describe('what depends on another child', () => {
  const b = named('b');
  const wanted = { manifests: [job, b], dependencies: new Map([[b, [job]]]) };

  test.each<[string, readonly LiveObject[], string]>([
    ['is not there', [], 'is not there yet'],
    ['is not complete', [live(job)], 'is not ready: it is not complete'],
    [
      'is about to change',
      [live({ ...job, spec: { parallelism: 2 } }, { status: complete })],
      'is not as the resource says yet',
    ],
    [
      'goes',
      [{ ...live(job, { status: complete }), metadata: { ...live(job).metadata, deletionTimestamp: 'now' } }],
      'cannot be applied yet',
    ],
  ])('waits where that one %s', (_, there, why) => {
    const steps = planned(wanted, there, owner);
    expect(texts(steps).at(-1)).toBe('wait (WaitingForDependency) ConfigMap b');
    expect(waitOf(steps)).toContain(`ConfigMap team/b waits for Job team/migrate, which ${why}`);
  });

  test('is made once that one is ready, and says after what it was made', () => {
    const [, step] = planned(wanted, [live(job, { status: complete })], owner);
    expect(step).toMatchObject({
      action: 'create',
      manifest: { metadata: { annotations: { 'inferno.io/applied-after': 'Job.batch/migrate' } } },
    });
  });

  test('is ready by the word of the composition, where that has one', () => {
    const isReady = ({ kind }: Manifest): boolean | undefined => (kind === 'Job' ? true : undefined);
    expect(texts(planned(wanted, [live(job)], { ...owner, isReady }))).toEqual([
      'unchanged Job migrate',
      'create ConfigMap b',
    ]);
    const never = { ...owner, isReady: () => false };
    expect(waitOf(planned(wanted, [live(job, { status: complete })], never))).toContain('which is not ready');
  });

  test('stays as it is where that one is no longer ready, and is still put right', () => {
    const there = [live(job), live(b, {}, [job])];
    expect(texts(planned(wanted, there, owner))).toEqual(['unchanged Job migrate', 'unchanged ConfigMap b']);
    const drifted = { ...b, data: { a: '1' } };
    const steps = planned(
      { manifests: [job, drifted], dependencies: new Map([[drifted, [job]]]) },
      [live(job), { ...live(drifted, {}, [job]), data: { a: '2' } }],
      owner,
    );
    expect(steps[1]).toMatchObject({ action: 'update', reason: 'Drifted' });
  });

  test('does not wait for one whose fields somebody else changes again and again', () => {
    const changed = { ...live(job, { status: complete }), spec: { parallelism: 3 } };
    const fought = { ...job, spec: { parallelism: 2 } };
    const { annotations } = live(fought).metadata;
    const there = { ...changed, metadata: { ...changed.metadata, annotations: annotations ?? {} } };
    const steps = planned({ manifests: [fought, b], dependencies: new Map([[b, [fought]]]) }, [there], owner);
    expect(texts(steps)).toEqual(['update Job migrate', 'create ConfigMap b']);
  });

  test('has what would be done then with it, with the replicas that an autoscaler gave', () => {
    const rival: Manifest = { ...autoscaler, metadata: { name: 'theirs', namespace: 'team' } };
    const there = live({ ...deployment, metadata: { ...deployment.metadata, labels: {} } });
    const scaled = { ...there, spec: { ...(there['spec'] as object), replicas: 5 } };
    const wants = { manifests: [job, deployment], dependencies: new Map([[deployment, [job]]]) };
    expect(planned(wants, [live(job), scaled], owner, [rival])[1]).toMatchObject({
      action: 'wait',
      next: { action: 'update', manifest: { spec: { replicas: 5 } } },
    });
  });

  test('is applied anew where what it depends on is another, so that the order of pruning is known', () => {
    expect(planned([job, b], [live(job), live(b, {}, [job])], owner)[1]).toMatchObject({
      action: 'update',
      reason: 'Changed',
    });
  });

  test('keeps what is no longer wanted from being deleted while it waits', () => {
    const steps = planned(wanted, [live(named('old'))], owner);
    expect(texts(steps).at(-1)).toBe('delete ConfigMap old');
    expect(steps.at(-1)?.after).toEqual(steps.slice(0, -1));
  });
});

describe('deletion', () => {
  const [a, b, c] = [named('a'), named('b'), named('c')];

  test('goes from dependents to what they depend on, one after the other', () => {
    const all = [live(a), live(b, {}, [a]), live(c, {}, [b])];
    const waits = 'wait (WaitingForDependents) ConfigMap';
    expect(texts(planned([], all, owner))).toEqual(['delete ConfigMap c', `${waits} b`, `${waits} a`]);
    const ending = { ...live(c, {}, [b]), metadata: { ...live(c, {}, [b]).metadata, deletionTimestamp: 'now' } };
    expect(texts(planned([], [...all.slice(0, 2), ending], owner))).toEqual([`${waits} b`, `${waits} a`]);
    expect(texts(planned([], all.slice(0, 2), owner))).toEqual(['delete ConfigMap b', `${waits} a`]);
    expect(texts(planned([], all.slice(0, 1), owner))).toEqual(['delete ConfigMap a']);
  });

  test('of thousands of children in a row is planned in no time', () => {
    const row = Array.from({ length: 6000 }, (_, index) => named(`c${index}`));
    const there = row.map((manifest, index) => live(manifest, {}, row.slice(Math.max(0, index - 1), index)));
    const start = process.cpuUsage();
    const steps = planned([], there, owner);
    expect(steps.filter(({ action }) => action === 'delete')).toHaveLength(1);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000);
  });

  test('does not wait for ever where two releases said the opposite of each other', () => {
    expect(texts(planned([], [live(a, {}, [b]), live(b, {}, [a])], owner))).toEqual([
      'delete ConfigMap b',
      'delete ConfigMap a',
    ]);
  });
});

describe('numbers of replicas', () => {
  const replicas = (manifest: Manifest, number: number | undefined): Manifest => {
    const { replicas: _, ...spec } = manifest['spec'] as { readonly replicas?: number };
    return { ...manifest, spec: number === undefined ? spec : { ...spec, replicas: number } };
  };
  const scaled = (number: number): LiveObject => {
    const object = live(deployment);
    return { ...object, spec: { ...(object['spec'] as object), replicas: number } };
  };
  const rival: Manifest = { ...autoscaler, metadata: { name: 'theirs', namespace: 'team' } };

  test('an autoscaler goes first, and its target is only given a number once it is gone', () => {
    const steps = planned([deployment, service], [live(deployment), live(autoscaler)], owner);
    expect(texts(steps)).toEqual([
      'delete HorizontalPodAutoscaler sessions',
      'unchanged Deployment sessions',
      'create Service sessions',
    ]);
    expect(steps.map(({ after }) => after)).toEqual([undefined, [steps[0]], undefined]);
  });

  test('an autoscaler goes first, though something was applied after it', () => {
    const steps = planned(
      [deployment],
      [live(deployment), live(autoscaler), live(named('a'), {}, [autoscaler])],
      owner,
    );
    expect(texts(steps)).toEqual([
      'delete HorizontalPodAutoscaler sessions',
      'unchanged Deployment sessions',
      'delete ConfigMap a',
    ]);
    expect(steps[1]?.after).toEqual([steps[0]]);
  });

  test('an autoscaler goes before another one of the same target comes', () => {
    const other = { ...autoscaler, metadata: { name: 'second', namespace: 'team' } };
    const elsewhere = {
      ...other,
      metadata: { name: 'third', namespace: 'team' },
      spec: { scaleTargetRef: { name: 'x' } },
    };
    const steps = planned([other, elsewhere], [live(autoscaler)], owner);
    expect(steps.map(({ after }) => after)).toEqual([undefined, [steps[0]], undefined]);
  });

  test('an update that no longer says a number hands ours over to the autoscaler', () => {
    const managedFields = [{ manager: 'inferno', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }];
    const there = { ...scaled(4), metadata: { ...scaled(4).metadata, managedFields } };
    expect(planned([replicas(deployment, undefined), autoscaler], [there], owner)[0]).toMatchObject({
      action: 'update',
      handover: 4,
    });
  });

  test('a number that another autoscaler set is left, and reported', () => {
    expect(planned([deployment], [scaled(5)], owner, [rival])).toMatchObject([
      {
        action: 'unchanged',
        manifest: { spec: { replicas: 2 } },
        altered: {
          reason: 'ScaledByAnother',
          message:
            'Deployment team/sessions has the replicas that HorizontalPodAutoscaler team/theirs gives it, which does not ' +
            'belong to the resource; delete HorizontalPodAutoscaler team/theirs to have those that the resource says',
        },
      },
    ]);
  });

  test('what is applied for another reason carries the live number', () => {
    const other = replicas({ ...deployment, metadata: { ...deployment.metadata, labels: { app: 'x' } } }, 3);
    expect(planned([other], [scaled(5)], owner, [rival])).toMatchObject([
      {
        action: 'update',
        reason: 'Changed',
        manifest: { spec: { replicas: 5 } },
        altered: { reason: 'ScaledByAnother' },
      },
    ]);
  });

  test.each<[string, Manifest, LiveObject, readonly Manifest[]]>([
    ['parking', replicas(deployment, 0), scaled(5), [rival]],
    ['waking up', replicas(deployment, 3), scaled(0), [rival]],
    ['no rival', deployment, scaled(5), []],
    [
      'a rival of something else',
      deployment,
      scaled(5),
      [{ ...rival, spec: { scaleTargetRef: { kind: 'Deployment', name: 'x' } } }],
    ],
  ])('with %s the number is applied as rendered', (_, manifest, there, rivals) => {
    const [step] = planned([manifest], [there], owner, rivals);
    expect(step).toMatchObject({ action: 'update', manifest: { spec: manifest['spec'] } });
    expect(step).not.toHaveProperty('altered');
  });
});
