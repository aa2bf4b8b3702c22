import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../measure.mjs';
import { requests, USER, withControlPlane, writes } from './control-plane.mjs';
import { changeVersions, complete, create, drift } from './load.mjs';
import { OperatorProcess } from './process.mjs';

/** Resources of the scenario that all figures are taken from, and of the one that is about time. */
export const USUAL = 250;
export const STORM = 200;
const DRIFTS = 30;
const IDLE_MS = 30_000;

/** What it costs to keep some hundred resources, with the controller-manager stopped: only the operator's work. */
export function keeping(program) {
  return withControlPlane(async (plane) => {
    await plane.pause('kube-controller-manager');
    const kubeconfig = await plane.kubeconfigFor({ user: USER });
    return withOperator(program, kubeconfig, async (operator, replace) => {
      await quiet(plane, operator);
      await operator.longestBlockMs();

      const created = await cost(plane, operator, async () => {
        await create(plane, USUAL);
        await complete(plane, USUAL, operator);
      });
      const changed = await cost(plane, operator, async () => {
        await changeVersions(plane, USUAL, 'changed');
        await complete(plane, USUAL, operator);
      });
      const again = await cost(plane, operator, async () => {
        await changeVersions(plane, USUAL, 'again');
        await complete(plane, USUAL, operator);
      });
      const longestBlockMs = await operator.longestBlockMs();

      const idle = await cost(plane, operator, () => sleep(IDLE_MS));
      const residentMb = operator.residentMb();
      const peakMb = operator.residentMb('VmHWM');
      const connections = operator.connections(plane.url);
      const driftMs = await drifts(plane);

      const exitMs = await operator.stop();
      const before = requests(plane).length;
      const next = replace();
      await quiet(plane, next, before);
      const restart = requests(plane).slice(before);
      return {
        requestsPerCreate: created.requests / USUAL,
        cpuPerCreateMs: created.cpuMs / USUAL,
        requestsPerChange: changed.requests / USUAL,
        cpuPerChangeMs: changed.cpuMs / USUAL,
        cpuPerLaterChangeMs: again.cpuMs / USUAL,
        residentMb,
        peakMb,
        connections,
        idleRequests: idle.requests,
        idleCpuMs: idle.cpuMs,
        driftMs,
        exitMs,
        restartRequests: restart.length,
        restartWrites: writes(restart).length,
        restartMs:
          Math.max(...restart.map(({ verb, came, answered }) => (verb === 'watch' ? came : answered))) - next.started,
        restartCpuMs: next.cpuMs(),
        restartResidentMb: next.residentMb(),
        ...(longestBlockMs === undefined ? {} : { longestBlockMs }),
      };
    });
  });
}

/** Seconds until resources that are made as fast as possible are complete. */
export function storm(program, { held }) {
  return withControlPlane(async (plane) => {
    if (held) await plane.pause('kube-controller-manager');
    return withOperator(program, await plane.kubeconfigFor({ user: USER }), async (operator) => {
      await quiet(plane, operator);
      await operator.longestBlockMs();
      const started = performance.now();
      await create(plane, STORM);
      await complete(plane, STORM, operator);
      const seconds = (performance.now() - started) / 1000;
      return { seconds, longestBlockMs: await operator.longestBlockMs() };
    });
  });
}

/** How cost grows with the number of resources. */
export function growth(program, count) {
  return withControlPlane(async (plane) => {
    await plane.pause('kube-controller-manager');
    return withOperator(program, await plane.kubeconfigFor({ user: USER }), async (operator, replace) => {
      await quiet(plane, operator);
      await operator.longestBlockMs();
      const created = await cost(plane, operator, async () => {
        await create(plane, count);
        await complete(plane, count, operator, 900);
      });
      const longestBlockMs = await operator.longestBlockMs();
      await sleep(5000);
      const residentMb = operator.residentMb();
      await operator.stop();
      const before = requests(plane).length;
      const next = replace();
      await quiet(plane, next, before);
      const restart = requests(plane).slice(before);
      return {
        requestsPerCreate: created.requests / count,
        cpuPerCreateMs: created.cpuMs / count,
        residentMb,
        restartResidentMb: next.residentMb(),
        restartRequests: restart.length,
        restartWrites: writes(restart).length,
        restartCpuMs: next.cpuMs(),
        ...(longestBlockMs === undefined ? {} : { longestBlockMs, restartLongestBlockMs: await next.longestBlockMs() }),
      };
    });
  });
}

/** Runs `use` with an operator, and with a function that starts the next one after that has ended. */
async function withOperator(program, kubeconfig, use) {
  let operator = new OperatorProcess(program, kubeconfig);
  const replace = () => {
    operator = new OperatorProcess(program, kubeconfig);
    return operator;
  };
  try {
    return await use(operator, replace);
  } finally {
    operator.kill();
  }
}

/** Requests and CPU time of what is done and of its aftermath. */
async function cost(plane, operator, work) {
  const before = { requests: requests(plane).length, cpuMs: operator.cpuMs() };
  await work();
  await quiet(plane, operator);
  return { requests: requests(plane).length - before.requests, cpuMs: operator.cpuMs() - before.cpuMs };
}

/** Waits until the operator has asked for something, has nothing more to ask for, and no longer works. */
async function quiet(plane, operator, known = 0) {
  const end = Date.now() + 120_000;
  let last;
  for (let calm = 0; calm < 4;) {
    if (Date.now() > end) throw new Error('the operator was not quiet after 120 s');
    await sleep(500);
    operator.assertRuns();
    const now = { requests: requests(plane).length, cpuMs: operator.cpuMs() };
    const still = now.requests > known && now.requests === last?.requests && now.cpuMs - last.cpuMs <= 20;
    calm = still ? calm + 1 : 0;
    last = now;
  }
}

/** Milliseconds from the answer to a change of a Deployment to that to the operator's apply that puts it right: the median. */
async function drifts(plane) {
  for (let index = 0; index < DRIFTS; index += 1) {
    await drift(plane, `llama-${index}`);
    await sleep(100);
  }
  await sleep(2000);
  const applies = requests(plane).filter(({ verb, resource }) => verb === 'patch' && resource === 'deployments');
  return median(
    requests(plane, 'others').map(({ name, came, answered }) => {
      const apply = applies.find((each) => each.name === name && each.came >= came);
      if (apply === undefined) throw new Error(`the drift of ${name} was not put right`);
      return Math.max(0, apply.answered - answered);
    }),
  );
}
