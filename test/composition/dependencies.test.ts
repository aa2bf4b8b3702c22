import { ApiObject, App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { addSyncWaves, Child, Kinds, synthesize } from '../../lib/composition';
import { objectsInOrder } from '../../lib/composition/dependencies';
import { cache, cacheOf } from './cache';
import { random } from './random';

function named(name: string, annotations: { readonly [key: string]: string } = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations } };
}

function chart(): Chart {
  return new Chart(new App(), 'chart');
}

function namesOf(scope: Construct): readonly string[] {
  return objectsInOrder(scope).map(({ name }) => name);
}

const WAVE = 'argocd.argoproj.io/sync-wave';

function wavesOf(scope: Chart): readonly (readonly [string, unknown])[] {
  const objects: readonly ReturnType<ApiObject['toJson']>[] = scope.toJson();
  return objects.map(({ metadata }) => [metadata.name, metadata.annotations?.[WAVE]]);
}

/** Objects and groups of objects, nested, of which some depend on earlier or later ones, never in a cycle. */
function graph(seed: number): Chart {
  const next = random(seed);
  const pick = (limit: number): number => next.below(limit);
  const root = chart();
  const scopes: Construct[] = [root];
  const all: Construct[] = [];
  for (let index = 0; index < 12; index += 1) {
    const scope = scopes[pick(scopes.length)] ?? root;
    const made =
      pick(3) === 0 ? new Construct(scope, `group-${index}`) : new Child(scope, `c${index}`, named(`n${index}`));
    if (!ApiObject.isApiObject(made)) scopes.push(made);
    all.push(made);
  }
  const ranks = all.map(() => pick(1000));
  for (let index = 0; index < 8; index += 1) {
    const [a, b] = [pick(all.length), pick(all.length)].toSorted((x, y) => (ranks[x] ?? 0) - (ranks[y] ?? 0));
    const [from, to] = [all[a ?? 0], all[b ?? 0]];
    if (from === undefined || to === undefined || from === to) continue;
    from.node.addDependency(to);
    try {
      objectsInOrder(root);
    } catch {
      from.node.removeDependency(to);
    }
  }
  return root;
}

describe('the order of objects', () => {
  test('is that of chart.toJson(), no matter what depends on what', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const root = graph(seed);
      const ours = namesOf(root);
      const theirs: readonly { readonly metadata: { readonly name: string } }[] = root.toJson();
      expect([seed, ours]).toEqual([seed, theirs.map(({ metadata }) => metadata.name)]);
    }
  });

  test('goes by what is said of the constructs that objects are in, and by plain ApiObjects', () => {
    const root = chart();
    const app = new Construct(root, 'app');
    new Child(app, 'server', named('server'));
    new ApiObject(app, 'settings', named('settings'));
    const database = new Construct(root, 'database');
    new ApiObject(database, 'store', named('store'));
    app.node.addDependency(database);
    expect(namesOf(root)).toEqual(['store', 'server', 'settings']);
  });

  test.each<[string, (a: Child, b: Child, c: Child, group: Construct) => void, string]>([
    [
      'of two objects',
      (a, b) => {
        a.addDependency(b);
        b.addDependency(a);
      },
      'chart/group/a => chart/group/b => chart/group/a',
    ],
    [
      'behind a branch that leads elsewhere',
      (a, b, c) => {
        a.addDependency(b);
        b.addDependency(a, c);
      },
      'chart/group/a => chart/group/b => chart/group/a',
    ],
    [
      'by way of a scope',
      (_, b, c, group) => {
        c.addDependency(group);
        group.node.addDependency(c);
        b.addDependency(c);
      },
      'chart/group => chart/c => chart/group',
    ],
  ])('refuses a cycle %s, with its path', (_, say, path) => {
    const root = chart();
    const group = new Construct(root, 'group');
    const [a, b] = ['a', 'b'].map((name) => new Child(group, name, named(name))) as [Child, Child];
    say(a, b, new Child(root, 'c', named('c')), group);
    expect(() => objectsInOrder(root)).toThrow(`dependencies form a cycle: ${path}`);
  });
});

describe('sync waves', () => {
  test('come by what an object depends on, also in another chart', () => {
    const app = new App();
    const [first, second] = [new Chart(app, 'first'), new Chart(app, 'second')];
    const crd = new ApiObject(first, 'crd', named('crd'));
    const [a, b, c] = ['a', 'b', 'c'].map((name) => new Child(second, name, named(name))) as [Child, Child, Child];
    b.addDependency(a);
    c.addDependency(b);
    c.addDependency(a);
    second.addDependency(first);
    addSyncWaves(app);
    expect(wavesOf(first)).toEqual([['crd', undefined]]);
    expect(wavesOf(second)).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ]);
    expect(crd.name).toBe('crd');
  });

  test('that are there already stay, and others go by them', () => {
    const root = chart();
    const a = new Child(root, 'a', named('a', { [WAVE]: '5' }));
    const b = new Child(root, 'b', named('b'));
    const c = new Child(root, 'c', named('c', { [WAVE]: '-1' }));
    b.addDependency(a);
    c.addDependency(b);
    addSyncWaves(root);
    addSyncWaves(root);
    expect(wavesOf(root)).toEqual([
      ['a', '5'],
      ['b', '6'],
      ['c', '-1'],
    ]);
  });

  test('of a resource are rendered where they are asked for', () => {
    const composition = cacheOf((scope) => {
      const a = new Child(scope, 'a', named('a'));
      new Child(scope, 'b', named('b')).addDependency(a);
    });
    const rendered = (syncWaves: boolean) => {
      const synthesis = synthesize(composition, cache, undefined, { syncWaves });
      if (!synthesis.valid) throw new Error(JSON.stringify(synthesis.errors));
      return synthesis.manifests.map(({ metadata }) => metadata.annotations?.[WAVE]);
    };
    expect(rendered(true)).toEqual([undefined, '1']);
    expect(rendered(false)).toEqual([undefined, undefined]);
  });
});

describe('the synthesis of a resource', () => {
  test('says what depends on what, by scopes too, and on what directly', () => {
    const composition = cacheOf((scope) => {
      const group = new Construct(scope, 'group');
      new Child(group, 'b', named('b'));
      new ApiObject(group, 'c', named('c'));
      group.node.addDependency(new Child(scope, 'a', named('a')));
    });
    const synthesis = synthesize(composition, cache);
    const dependencies = synthesis.valid ? [...synthesis.dependencies] : [];
    expect(
      dependencies.map(([{ metadata }, before]) => [metadata.name, before.map((each) => each.metadata.name)]),
    ).toEqual([
      ['b', ['a']],
      ['c', ['a']],
    ]);
  });

  test('refuses a cycle as a fault of the composition', () => {
    const composition = cacheOf((scope) => {
      const a = new Child(scope, 'a', named('a'));
      const b = new Child(scope, 'b', named('b'));
      a.addDependency(b);
      b.addDependency(a);
    });
    expect(() => synthesize(composition, cache)).toThrow(
      expect.objectContaining({
        name: 'SynthesisError',
        message:
          'composition Cache, resource team/sessions: dependencies form a cycle: sessions/a => sessions/b => sessions/a',
      }),
    );
  });

  test('still asks constructs whether they are valid', () => {
    const composition = cacheOf((scope) => {
      new Child(scope, 'a', named('a')).node.addValidation({ validate: () => ['has no data'] });
    });
    expect(() => synthesize(composition, cache)).toThrow('sessions/a: has no data');
  });

  test('of objects that each depend on all before them takes no time', () => {
    const composition = cacheOf(
      (scope) => {
        const made: Child[] = [];
        for (let index = 0; index < 150; index += 1) {
          const child = new Child(scope, `c${index}`, named(`n${index}`));
          for (const other of made) child.addDependency(other);
          made.push(child);
        }
      },
      { children: [Kinds.ConfigMap] },
    );
    const started = performance.now();
    const synthesis = synthesize(composition, cache, undefined, { syncWaves: true });
    expect(performance.now() - started).toBeLessThan(5000);
    const last = synthesis.valid ? synthesis.manifests.at(-1) : undefined;
    expect(last?.metadata).toMatchObject({ name: 'n149', annotations: { [WAVE]: '149' } });
  });
});
