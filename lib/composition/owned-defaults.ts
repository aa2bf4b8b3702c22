import { groupOf, type Manifest } from './manifest';
import { isObject, member } from './objects';

type Members = { readonly [key: string]: unknown };

/** Where rolling updates are set, and what the API server fills in there, by kind of the group apps. */
const ROLLING: { readonly [kind: string]: { readonly field: string; readonly defaults: Members } } = {
  Deployment: { field: 'strategy', defaults: { maxSurge: '25%', maxUnavailable: '25%' } },
  DaemonSet: { field: 'updateStrategy', defaults: { maxSurge: 0, maxUnavailable: 1 } },
  StatefulSet: { field: 'updateStrategy', defaults: { partition: 0 } },
};

/** Where pod specs are. */
const POD_SPECS: readonly (readonly string[])[] = [
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
];

/**
 * A manifest with the API server's own values where they must be ours. Server-side apply takes away only what its manager
 * once set, and these stand in the way when they stay behind:
 * - the twin `serviceAccount` of `serviceAccountName` would bring the old account back
 * - a strategy other than RollingUpdate is refused beside `rollingUpdate`
 *
 * The stored object is the same with and without them.
 */
export function withOwnedDefaults(manifest: Manifest): Manifest {
  const rolling = groupOf(manifest.apiVersion) === 'apps' ? ROLLING[manifest.kind] : undefined;
  const withStrategy =
    rolling === undefined
      ? manifest
      : { ...manifest, ...within(manifest, ['spec', rolling.field], (strategy) => filled(strategy, rolling.defaults)) };
  const path = POD_SPECS.find((each) => member(manifest, ...each) !== undefined);
  return path === undefined ? withStrategy : { ...withStrategy, ...within(withStrategy, path, withTwin) };
}

function filled(strategy: Members, defaults: Members): Members {
  const { type = 'RollingUpdate', rollingUpdate = {} } = strategy;
  if (type !== 'RollingUpdate' || !isObject(rollingUpdate)) return strategy;
  return { ...strategy, type, rollingUpdate: { ...defaults, ...rollingUpdate } };
}

function withTwin(pod: Members): Members {
  const account = pod['serviceAccountName'];
  return typeof account === 'string' && account !== '' ? { serviceAccount: account, ...pod } : pod;
}

/** A copy in which the map at a path is changed; a missing last map counts as empty. */
function within(map: Members, [key = '', ...rest]: readonly string[], change: (inner: Members) => Members): Members {
  const inner = map[key] ?? {};
  if (!isObject(inner)) return map;
  return { ...map, [key]: rest.length === 0 ? change(inner) : within(inner, rest, change) };
}
