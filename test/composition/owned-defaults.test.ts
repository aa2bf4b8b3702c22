import type { Manifest } from '../../lib/composition';
import { withOwnedDefaults } from '../../lib/composition/owned-defaults';

function object(kind: string, spec: object, apiVersion = 'apps/v1'): Manifest {
  return { apiVersion, kind, metadata: { name: 'x' }, spec };
}

const percents = { maxSurge: '25%', maxUnavailable: '25%' };

test.each([
  ['Deployment', {}, { strategy: { type: 'RollingUpdate', rollingUpdate: percents } }],
  [
    'Deployment',
    { strategy: { rollingUpdate: { maxSurge: 2 } } },
    { strategy: { type: 'RollingUpdate', rollingUpdate: { ...percents, maxSurge: 2 } } },
  ],
  ['Deployment', { strategy: { type: 'Recreate' } }, { strategy: { type: 'Recreate' } }],
  ['StatefulSet', {}, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } }],
  ['StatefulSet', { updateStrategy: { type: 'OnDelete' } }, { updateStrategy: { type: 'OnDelete' } }],
  ['DaemonSet', {}, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } }],
])('a %s with %j says its whole strategy', (kind, spec, expected) => {
  expect(withOwnedDefaults(object(kind, spec))).toEqual(object(kind, expected));
});

test('the name of an account comes with its twin, in templates of every depth', () => {
  const pod = { serviceAccountName: 'reader', containers: [] };
  const twins = { ...pod, serviceAccount: 'reader' };
  const job = object('Job', { template: { spec: pod } }, 'batch/v1');
  expect(withOwnedDefaults(job)).toEqual(object('Job', { template: { spec: twins } }, 'batch/v1'));
  const cron = (spec: object): Manifest =>
    object('CronJob', { jobTemplate: { spec: { template: { spec } } } }, 'batch/v1');
  expect(withOwnedDefaults(cron(pod))).toEqual(cron(twins));
  expect(withOwnedDefaults(cron({ containers: [] }))).toEqual(cron({ containers: [] }));
});

test('objects of other groups, and shapes that are none, stay as they are', () => {
  for (const manifest of [object('Deployment', {}, 'example.com/v1'), object('Service', { template: 'x' }, 'v1')]) {
    expect(withOwnedDefaults(manifest)).toEqual(manifest);
  }
  const odd = object('Deployment', { strategy: 'x', template: null });
  expect(withOwnedDefaults(odd)).toEqual(odd);
});
