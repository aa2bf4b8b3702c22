import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { lookAt } from '../../cli/commands/status/look';
import type { Composition, Manifest } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib/inference';
import { now, record, scenes, type Recorded } from '../health/recorded';
import { readinessCases } from '../health/readiness';
import { judge, type Verdicts } from '../health/verdicts';

const composition = inferenceServiceComposition as unknown as Composition;

type Kind = keyof typeof scenes;
const kinds = Object.keys(scenes) as readonly Kind[];
const table = kinds.flatMap((kind) => Object.entries(scenes[kind]).map(([what, scene]) => ({ kind, what, scene })));

const expected = {
  good: { argo: 'Healthy', kstatus: 'Current', cli: 'good' },
  waiting: { argo: 'Progressing', kstatus: 'InProgress', cli: 'waiting' },
  paused: { argo: 'Suspended', kstatus: 'InProgress', cli: 'waiting' },
  bad: { argo: 'Degraded', kstatus: 'Failed', cli: 'bad' },
} as const;

const recorded = new Map<string, Recorded & Verdicts>();

beforeAll(async () => {
  const all = await Promise.all(table.map(({ scene }) => record(scene)));
  const verdicts = await judge(all.map(({ resource }) => resource));
  for (const [index, { what }] of table.entries()) {
    const [one, verdict] = [all[index], verdicts[index]];
    if (one !== undefined && verdict !== undefined) recorded.set(what, { ...one, ...verdict });
  }
}, 600_000);

function seen(what: string): Recorded & Verdicts {
  const one = recorded.get(what);
  if (one === undefined) throw new Error(`${what} was not recorded`);
  return one;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function conditionsOf(resource: Manifest): readonly Condition[] {
  return (resource['status'] as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
}

describe.each(table)('where $what', ({ kind, what }) => {
  test('Argo CD, kstatus and inferno status agree', async () => {
    const { resource, snapshot, argo, kstatus } = seen(what);
    const { health } = await lookAt(composition, resource, snapshot, now);
    expect({ argo: argo.status, kstatus: kstatus.status, cli: health }).toEqual(expected[kind]);
  });

  test('both say why, in the words of the condition Ready', () => {
    const { resource, argo, kstatus } = seen(what);
    const ready = conditionsOf(resource).find(({ type }) => type === 'Ready');
    expect(argo.message).toBe(ready?.message);
    if (kind !== 'good') expect(kstatus.message).toBe(ready?.message);
  });
});

test('every reason that a status of its own making can give is among them', () => {
  const given = new Set(
    [...recorded.values()].flatMap(({ resource }) => conditionsOf(resource).map(({ reason }) => reason)),
  );
  const source = ['project', 'pods'].map((name) => readFileSync(`lib/inference/status/${name}.ts`, 'utf8')).join('\n');
  const patterns = [
    /(?:failed|progressing)\('(\w+)'/g,
    /reason: '(\w+)'/g,
    /^ {2}\w+: '(\w+)',$/gm,
    /reasonOr\([^)]*'(\w+)'\)/g,
  ];
  const reasons = new Set(patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, reason]) => reason)));
  expect(reasons.size).toBeGreaterThan(10);
  expect([...reasons].filter((reason) => reason === undefined || !given.has(reason))).toEqual([]);
});

describe('for any status', () => {
  const cases: readonly (readonly [string, (resource: Manifest) => Manifest, string, string])[] = [
    [
      'one that is being deleted ends',
      (resource) => ({ ...resource, metadata: { ...resource.metadata, deletionTimestamp: now } }),
      'Progressing',
      'Terminating',
    ],
    [
      'one whose spec changed since is on its way',
      (resource) => ({ ...resource, metadata: { ...resource.metadata, generation: 8 } }),
      'Progressing',
      'InProgress',
    ],
  ];
  test.each(cases)('%s', async (_, change, argo, kstatus) => {
    const verdicts = await judge([...recorded.values()].map(({ resource }) => change(resource)));
    expect(verdicts).toHaveLength(table.length);
    expect(new Set(verdicts.map((verdict) => verdict.argo.status))).toEqual(new Set([argo]));
    expect(new Set(verdicts.map((verdict) => verdict.kstatus.status))).toEqual(new Set([kstatus]));
  });
});

test('Argo CD waits for the operator while there is no status, or one without conditions', async () => {
  const { status: _, ...resource } = seen('all pods are ready').resource;
  const [none, empty, half] = await judge([
    resource,
    { ...resource, status: {} },
    { ...resource, status: { observedGeneration: 7 } },
  ]);
  for (const verdict of [none, empty, half]) {
    expect(verdict?.argo).toEqual({ status: 'Progressing', message: 'Waiting for the operator' });
  }
});

const ready = { type: 'Ready', status: 'True' };

test.each<unknown>([
  ...['text', 5, true, [], { observedGeneration: 7 }],
  ...['text', 5, { a: 1 }, ['text', 5, true, ready], [{}], [{ ...ready, message: 5 }]].map((conditions) => ({
    observedGeneration: 7,
    conditions,
  })),
  { observedGeneration: 7, conditions: [{ type: 'Stalled', status: 'True', message: { a: 1 } }] },
])('the script of Argo CD does not fail at a status that another definition allows: %j', async (status) => {
  const { status: _, ...resource } = seen('all pods are ready').resource;
  let said = '';
  try {
    await judge([{ ...resource, status }]);
  } catch (error) {
    said = String(error);
  }
  // kstatus, which comes after the script, takes some of them for errors
  expect(said.includes('kstatus: ') ? '' : said).toBe('');
});

test('the patch of Argo CD’s ConfigMap has the same script under the name that Argo CD looks for', () => {
  const { spec } = inferenceServiceComposition.crd as { spec: { group: string; names: { kind: string } } };
  expect(parse(readFileSync('argocd/argocd-cm.yaml', 'utf8'))).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm' },
    data: {
      [`resource.customizations.health.${spec.group}_${spec.names.kind}`]: readFileSync('argocd/health.lua', 'utf8'),
    },
  });
});

test('an object is ready for what depends on it where kstatus calls it current, except where something says otherwise', async () => {
  const verdicts = await judge(readinessCases.map(({ object }) => object));
  const isCurrent = verdicts.map(({ kstatus }, index) => [readinessCases[index]?.what, kstatus.status === 'Current']);
  expect(isCurrent).toEqual(readinessCases.map((one) => [one.what, one.kstatus ?? one.ready]));
  expect(readinessCases.length).toBeGreaterThan(70);
});
