import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepareCluster } from '../../tools/local-cluster/index.ts';
import { inNamespace, namespaceRefusal } from '../../tools/namespace.mjs';
import { root } from '../measure.mjs';

/** Model servers that run at once where nothing else is asked for. */
const SERVICES = 1000;
/** What the operator's Deployment reserves, see lib/install; in MB, as `ps` counts. */
const RESERVED_MB = 192;

/**
 * The operator, installed as a user installs it, in a cluster with nodes and with so many model servers that really run.
 *
 * @param {{ resources?: readonly number[] }} options numbers of model servers to take in place of the usual one
 */
export async function cluster({ resources = [] } = {}) {
  const refusal = namespaceRefusal({ who: 'the cluster runs' });
  if (refusal !== undefined) throw new Error(refusal);
  await prepareCluster();
  return (resources.length === 0 ? [SERVICES] : resources).flatMap((count) => figures(measured(count)));
}

/** What the run says that is made in a network namespace, where a cluster has to be. */
function measured(count) {
  console.error(`  a cluster with ${count} model servers …`);
  const inside = fileURLToPath(new URL('inside.mjs', import.meta.url));
  const { file, args } = inNamespace(process.execPath, ['--import', 'tsx', inside, String(count)]);
  const { error, status, stdout } = spawnSync(file, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 3_600_000,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`the run with ${count} model servers ended with ${status}`);
  return JSON.parse(stdout);
}

function figures({ created, deleted, idle, peakMb, restarted, services }) {
  const per = (phase, field) => round(phase[field] / services);
  const share = ({ cpuMs, others }) =>
    `operator ${seconds(cpuMs)}, ${Object.entries(others)
      .map(([name, ms]) => `${name} ${seconds(ms)}`)
      .join(', ')}`;
  return [
    {
      name: `${services.toLocaleString('en')} model servers created, until all are Running`,
      unit: 's',
      value: round(created.seconds),
      note: share(created),
    },
    { name: '… requests per service', unit: '', value: round(total(created) / services), note: verbs(created) },
    { name: '… CPU per service', unit: 'ms', value: per(created, 'cpuMs') },
    {
      name: '… longest pause of the event loop, waiting for a CPU included',
      unit: 'ms',
      value: round(created.longestPauseMs),
    },
    { name: '… resident memory', unit: 'MB', value: round(created.residentMb), aim: RESERVED_MB },
    { name: '… at its peak', unit: 'MB', value: round(peakMb), aim: RESERVED_MB },
    { name: '30 s without a change: writes', unit: '', value: idle.writes, aim: 0 },
    { name: '… CPU', unit: 'ms', value: idle.cpuMs, note: share(idle) },
    { name: 'a new operator takes over: requests', unit: '', value: total(restarted), note: verbs(restarted) },
    { name: '… of them writes', unit: '', value: restarted.writes, aim: 0 },
    { name: '… quiet after', unit: 'ms', value: round(restarted.quietMs) },
    { name: '… CPU', unit: 'ms', value: restarted.cpuMs },
    {
      name: '… longest pause of the event loop, waiting for a CPU included',
      unit: 'ms',
      value: round(restarted.longestPauseMs),
    },
    { name: '… resident memory', unit: 'MB', value: round(restarted.residentMb), aim: RESERVED_MB },
    { name: 'all deleted, until nothing is left', unit: 's', value: round(deleted.seconds), note: share(deleted) },
    { name: '… CPU per service', unit: 'ms', value: per(deleted, 'cpuMs') },
    { name: '… requests', unit: '', value: total(deleted), note: verbs(deleted) },
  ];
}

function total({ requests }) {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

function verbs({ requests }) {
  return Object.entries(requests)
    .map(([verb, count]) => `${verb} ${count}`)
    .join(', ');
}

function seconds(ms) {
  return `${round(ms / 1000)} s`;
}

function round(value) {
  return Number(value.toPrecision(3));
}
