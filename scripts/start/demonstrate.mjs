import { run } from './run.mjs';
import { apply, find, isSettled, makeSurroundings, readObjects } from './objects.mjs';
import { isStale } from './stale.mjs';
import { tree } from './tree.mjs';
import { require } from './typescript.mjs';

/** @type {typeof import('../../test/cluster/index.ts')} */
const { poll, startControlPlane } = require('../../test/cluster/index.ts');

const sources = ['lib', 'imports', 'cli', 'fake-server', 'crds', 'main.ts', 'scripts/build.mjs', 'package.json'];
const started = Date.now();

/**
 * Shows the samples on a real API server, and cleans up behind itself whenever it is told to end.
 *
 * @param {{ readonly once: boolean }} options
 * @returns {Promise<number>} the exit code
 */
export async function demonstrate({ once }) {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => abort.abort());
  }
  /** @type {import('../../test/cluster/index.ts').ControlPlane | undefined} */
  let controlPlane;
  try {
    await build(abort.signal);
    controlPlane = await startControlPlane({
      controllerManager: true,
      crds: ['crds/inferenceservice.yaml'],
      log: step,
      signal: abort.signal,
    });
    const complaints = await show(controlPlane, abort.signal);
    for (const complaint of complaints) {
      console.error(`error: ${complaint}`);
    }
    if (once) {
      return complaints.length === 0 ? 0 : 1;
    }
    explain(controlPlane);
    await aborted(abort.signal);
    return 0;
  } catch (error) {
    if (abort.signal.aborted) {
      return 130;
    }
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    if (controlPlane) {
      step('stopping the control plane and removing its folder');
      await controlPlane.stop();
    }
  }
}

/** @param {AbortSignal} signal */
async function build(signal) {
  if (isStale('build/bin/inferno.cjs', sources)) {
    step('building the package');
    await run(process.execPath, ['scripts/build.mjs'], { signal });
  }
  step('rendering the samples of examples/ into dist/ with cdk8s synth');
  await run('node_modules/.bin/cdk8s', ['synth', '--check-upgrade=false'], { signal });
}

/**
 * @param {import('../../test/cluster/index.ts').ControlPlane} controlPlane
 * @param {AbortSignal} signal
 * @returns {Promise<readonly string[]>} what was not as it should be
 */
async function show(controlPlane, signal) {
  const samples = readObjects('examples');
  const rendered = readObjects('dist/samples');
  const services = samples.filter(({ kind }) => kind === 'InferenceService');
  await makeSurroundings(controlPlane, [...samples, ...rendered]);
  step(`applying the ${services.length} InferenceServices of examples/`);
  const complaints = [
    ...(await apply(
      controlPlane,
      services.map((service) => adopting(service, rendered)),
    )),
  ];
  signal.throwIfAborted();
  step(`applying the ${rendered.length} objects of dist/samples/`);
  complaints.push(...(await apply(controlPlane, rendered)));
  signal.throwIfAborted();
  step('waiting for the controllers to make pods');
  await poll('all Deployments to have their pods', async () => isSettled(await find(controlPlane)), {
    seconds: 30,
    interval: 100,
    signal,
  }).catch((error) => {
    signal.throwIfAborted();
    complaints.push(error.message);
  });
  console.log(`\n${tree(await find(controlPlane))}\n`);
  return complaints;
}

/**
 * A resource that lets an operator take over the objects that were applied without one.
 * @param {import('./tree.mjs').Json} service
 * @param {readonly import('./tree.mjs').Json[]} objects
 * @returns {import('./tree.mjs').Json}
 */
function adopting(service, objects) {
  const { name, namespace, annotations } = service.metadata;
  const own = objects.filter(({ metadata }) => metadata.namespace === namespace && metadata.labels?.app === name);
  const adopt = own.map(({ kind, metadata }) => `${kind}/${metadata.name}`).join(',');
  return { ...service, metadata: { ...service.metadata, annotations: { ...annotations, 'inferno.io/adopt': adopt } } };
}

/** @param {import('../../test/cluster/index.ts').ControlPlane} controlPlane */
function explain(controlPlane) {
  console.log(`The API server listens on ${controlPlane.url}. To look around, in another terminal:

  export KUBECONFIG=${controlPlane.kubeconfig}
  kubectl get inferenceservices -A
  kubectl explain inferenceservice.spec.model
  npx inferno status -A

The objects were applied as they are. To have the operator take them over, and make those of your own resources:

  npx inferno operator
  kubectl apply -f YOUR-SERVICE.yaml

Without a kubectl of your own, use the one that was built with it:

  ${controlPlane.kubectlFile} --kubeconfig ${controlPlane.kubeconfig} get inferenceservices -A

Ctrl-C ends it and removes everything.`);
}

/** @param {string} text */
function step(text) {
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${seconds.padStart(6)} s  ${text}`);
}

/** @param {AbortSignal} signal */
function aborted(signal) {
  return new Promise((resolve) => {
    // an abort signal alone does not keep Node running
    const timer = setInterval(() => {}, 1 << 30);
    const done = () => {
      clearInterval(timer);
      console.log();
      resolve(undefined);
    };
    if (signal.aborted) {
      done();
    } else {
      signal.addEventListener('abort', done, { once: true });
    }
  });
}
