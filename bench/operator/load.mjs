import { setTimeout as sleep } from 'node:timers/promises';
import { services } from '../services.mjs';

const RESOURCES = '/apis/inference.inferno.io/v1alpha1/namespaces/bench/inferenceservices';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/bench/deployments';
const MERGE = { 'content-type': 'application/merge-patch+json' };
/** Requests of the load at once. */
const PARALLEL = 16;

/** Creates resources as fast as possible; each has a Deployment, a Service and a HorizontalPodAutoscaler. */
export async function create(plane, count) {
  const bodies = services(count).map((body) => ({ ...body, metadata: { name: body.metadata.name } }));
  await inParallel(bodies, (body) => succeed(plane, 'POST', RESOURCES, body));
}

/** Changes the version of each resource. */
export async function changeVersions(plane, count, version) {
  const names = services(count).map(({ metadata }) => metadata.name);
  await inParallel(names, (name) =>
    succeed(plane, 'PATCH', `${RESOURCES}/${name}`, { spec: { model: { version } } }, MERGE),
  );
}

/** Changes the image of one Deployment behind the operator's back. */
export async function drift(plane, name) {
  const containers = [{ name: 'inference-server', image: 'example.com/drifted' }];
  const type = { 'content-type': 'application/strategic-merge-patch+json' };
  await succeed(plane, 'PATCH', `${DEPLOYMENTS}/${name}`, { spec: { template: { spec: { containers } } } }, type);
}

/** Waits until each resource has a status that speaks of its spec, which is written after its children. */
export async function complete(plane, count, operator, seconds = 300) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    operator.assertRuns();
    const { items } = (await succeed(plane, 'GET', RESOURCES)).body;
    const done = items.filter(({ metadata, status }) => status?.observedGeneration === metadata.generation);
    if (done.length >= count) return;
    if (Date.now() > end) throw new Error(`${done.length} of ${count} resources were complete after ${seconds} s`);
    await sleep(items.length > 500 ? 500 : 100);
  }
}

async function succeed(plane, ...request) {
  const answer = await plane.request(...request);
  if (answer.status < 300) return answer;
  throw new Error(`${request[0]} ${request[1]}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
}

async function inParallel(items, task) {
  const rest = items.values();
  const work = async () => {
    for (const item of rest) await task(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}
