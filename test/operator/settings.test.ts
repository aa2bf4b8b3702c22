import { settings as table, variableOf } from '../../lib/settings/settings';
import { readSettings, type OperatorSettings } from '../../operator/settings/read';

function read(
  flags: Readonly<Record<string, readonly string[]>>,
  env: Readonly<Record<string, string>> = {},
): OperatorSettings {
  return readSettings({ flags: new Map(Object.entries(flags)), env });
}

test('without flags and variables the defaults of controller-runtime apply, where it has them', () => {
  expect(read({})).toEqual({
    compositionFiles: [],
    builtin: true,
    watchNamespaces: [],
    leaderElect: false,
    leaderElectionId: 'inferno-operator.inferno.io',
    maxConcurrentReconciles: 4,
    metricsBindAddress: '127.0.0.1:8080',
    healthProbeBindAddress: '127.0.0.1:8081',
    pprofBindAddress: '0',
    leaseMs: 15_000,
    renewDeadlineMs: 10_000,
    retryPeriodMs: 2000,
    resyncMs: 36_000_000,
    shutdownMs: 30_000,
    logLevel: 'info',
  });
});

test('every flag is read', () => {
  const settings = read({
    composition: ['a.js', 'b.js,c.js'],
    'no-builtin': ['true'],
    'watch-namespace': ['x,y', 'x'],
    selector: ['team=a,tier!=test,env in (dev, prod),!old'],
    kubeconfig: ['k'],
    context: ['c'],
    'leader-elect': ['true'],
    'leader-election-id': ['mine.example.com'],
    'leader-election-namespace': ['system'],
    'max-concurrent-reconciles': ['16'],
    'metrics-bind-address': ['0'],
    'health-probe-bind-address': ['[::1]:81'],
    'pprof-bind-address': ['127.0.0.1:83'],
    'leader-election-lease-duration': ['1m'],
    'leader-election-renew-deadline': ['40s'],
    'leader-election-retry-period': ['500ms'],
    'kube-api-qps': ['20'],
    'kube-api-burst': ['40'],
    'sync-period': ['1h30m'],
    'graceful-shutdown-timeout': ['90s'],
    'log-level': ['debug'],
  });
  expect(settings).toEqual({
    compositionFiles: ['a.js', 'b.js', 'c.js'],
    builtin: false,
    watchNamespaces: ['x', 'y'],
    selector: 'team=a,tier!=test,env in (dev, prod),!old',
    kubeconfig: 'k',
    context: 'c',
    leaderElect: true,
    leaderElectionId: 'mine.example.com',
    leaderElectionNamespace: 'system',
    maxConcurrentReconciles: 16,
    metricsBindAddress: '0',
    healthProbeBindAddress: '[::1]:81',
    pprofBindAddress: '127.0.0.1:83',
    leaseMs: 60_000,
    renewDeadlineMs: 40_000,
    retryPeriodMs: 500,
    limit: { perSecond: 20, burst: 40 },
    resyncMs: 5_400_000,
    shutdownMs: 90_000,
    logLevel: 'debug',
  });
});

test.each(table.map((setting) => [setting.flag, variableOf(setting)]))('%s has the variable %s', (flag, variable) => {
  const values: Readonly<Record<string, string>> = {
    'kube-api-burst': '7',
    'kube-api-qps': '7',
    'max-concurrent-reconciles': '7',
    'metrics-bind-address': ':7',
    'health-probe-bind-address': ':7',
    'pprof-bind-address': 'localhost:7',
    'leader-election-lease-duration': '17s',
    'leader-election-renew-deadline': '7s',
    'leader-election-retry-period': '1s',
    'sync-period': '7s',
    'graceful-shutdown-timeout': '7s',
    'log-level': 'error',
    'leader-elect': 'true',
    'no-builtin': 'true',
  };
  const value = values[flag] ?? 'seven';
  const others = { INFERNO_COMPOSITION: 'x.js', INFERNO_KUBE_API_QPS: '3' };
  const byFlag = readSettings({ flags: new Map([[flag, [value]]]), env: others });
  const byVariable = readSettings({ flags: new Map(), env: { ...others, [variable]: value } });
  expect(byVariable).toEqual(byFlag);
  expect(byVariable).not.toEqual(readSettings({ flags: new Map(), env: others }));
});

test('a flag wins over its variable, also where it switches off', () => {
  const env = { INFERNO_LEADER_ELECT: 'true', INFERNO_SYNC_PERIOD: '1h' };
  expect(read({ 'leader-elect': ['false'], 'sync-period': ['2h'] }, env)).toMatchObject({
    leaderElect: false,
    resyncMs: 7_200_000,
  });
});

test('an empty variable counts as not set', () => {
  expect(read({}, { INFERNO_WATCH_NAMESPACE: '', INFERNO_LOG_LEVEL: '' })).toEqual(read({}));
});

test.each([
  ['0', 'info'],
  ['1', 'debug'],
  ['5', 'debug'],
  ['error', 'error'],
])("zap's level %s is %s", (given, level) => {
  expect(read({ 'log-level': [given] }).logLevel).toBe(level);
});

test.each([
  [
    { 'max-concurrent-reconciles': ['0'] },
    '--max-concurrent-reconciles must be a whole number from 1 to 1000, but came as "0"',
  ],
  [{ 'max-concurrent-reconciles': ['1.5'] }, '--max-concurrent-reconciles must be a whole number'],
  [{ 'max-concurrent-reconciles': ['0x10'] }, '--max-concurrent-reconciles must be a whole number'],
  [
    { 'metrics-bind-address': ['8080'] },
    '--metrics-bind-address must be HOST:PORT, :PORT or 0 for nowhere, but came as "8080"',
  ],
  [{ 'health-probe-bind-address': [':99999'] }, '--health-probe-bind-address must be HOST:PORT'],
  [
    { 'pprof-bind-address': [':8083'] },
    '--pprof-bind-address must be HOST:PORT on loopback, such as 127.0.0.1:8083, or 0 for nowhere, but came as ":8083"',
  ],
  [{ 'pprof-bind-address': ['8083'] }, '--pprof-bind-address must be HOST:PORT on loopback'],
  [
    { 'leader-election-lease-duration': ['10s'] },
    '--leader-election-renew-deadline must be at least 1000 ms shorter than --leader-election-lease-duration, 10000 ms, but is 10000 ms',
  ],
  [
    { 'leader-election-retry-period': ['9s'] },
    '--leader-election-retry-period must be shorter than --leader-election-renew-deadline, 10000 ms, divided by 1.2, but is 9000 ms',
  ],
  [{ 'watch-namespace': ['Team'] }, '--watch-namespace must be a namespace'],
  [{ 'watch-namespace': ['a,,b'] }, '--watch-namespace must not be empty'],
  [{ selector: ['team in a'] }, '--selector must be a label selector'],
  [{ 'leader-election-id': ['A b'] }, '--leader-election-id must be a name'],
  [
    { 'sync-period': ['10'] },
    '--sync-period must be a time of at most 24 days such as 90s, 10m or 1h30m, but came as "10"',
  ],
  [{ 'sync-period': ['0s'] }, '--sync-period must be a time'],
  [{ 'sync-period': ['9999h'] }, '--sync-period must be a time'],
  [{ 'log-level': ['warn'] }, '--log-level must be error, info, debug or a number, but came as "warn"'],
  [{ 'kube-api-qps': ['-1'] }, '--kube-api-qps must be a number from 0 to 100000, but came as "-1"'],
  [{ 'kube-api-burst': ['5'] }, '--kube-api-burst has no meaning without --kube-api-qps above 0'],
  [{ 'no-builtin': ['true'] }, '--no-builtin leaves nothing to run'],
])('%j is refused by name', (flags, message) => {
  expect(() => read(flags)).toThrow(message);
});

test('a wrong variable is refused by its own name', () => {
  expect(() => read({}, { INFERNO_LEADER_ELECT: 'yes' })).toThrow(
    'INFERNO_LEADER_ELECT must be true or false, but came as "yes"',
  );
});

test('the former name of a variable is refused, as it would be passed over otherwise', () => {
  expect(() => read({}, { INFERNO_NAMESPACE: 'team' })).toThrow(
    'INFERNO_NAMESPACE is unknown: it is INFERNO_WATCH_NAMESPACE now',
  );
});
