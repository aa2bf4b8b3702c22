import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain } from './explain.mjs';
import { progress } from './progress.mjs';
import { run } from './run.mjs';
import { show } from './show.mjs';
import { require } from './typescript.mjs';

/** @type {typeof import('../../tools/local-cluster/index.ts')} */
const { startCluster } = require('../../tools/local-cluster/index.ts');
/** @type {typeof import('../../tools/local-cluster/images/index.ts')} */
const { infernoImage } = require('../../tools/local-cluster/images/index.ts');
/** @type {typeof import('../../tools/local-cluster/kubeconfig.ts')} */
const { kubeconfig } = require('../../tools/local-cluster/kubeconfig.ts');

/** Exit code where it was told to end before it was done. */
const INTERRUPTED = 130;

/**
 * @typedef {object} Options
 * @property {boolean} once end after the answer
 * @property {number} started milliseconds, as Date.now() gives them
 * @property {number} port where the API server can be reached from outside the namespace, on 127.0.0.1
 * @property {(url: string) => Promise<void>} open lets connections at that port through to this URL
 * @property {AbortSignal} signal ends it
 */

/**
 * Runs Inferno in a cluster, and shows it. Cleans up behind itself whenever it is told to end.
 *
 * @param {Options} options
 * @returns {Promise<number>} the exit code
 */
export async function demonstrate({ once, open, port, signal, started }) {
  const log = progress(started);
  const told = interruption(signal);
  /** @type {import('../../tools/local-cluster/index.ts').Cluster | undefined} */
  let cluster;
  /** @type {Promise<void> | undefined} */
  let shown;
  try {
    signal.throwIfAborted();
    log('rendering the samples and the manifests into dist/');
    const rendered = run(process.execPath, ['build/main.js'], { signal });
    // where the cluster does not start, that is what is told
    rendered.catch(() => {});
    cluster = await startCluster({ nodes: [{ name: 'node-1' }], images: [await infernoImage()], log, signal });
    await rendered;
    shown = show(cluster, log);
    await Promise.race([told, shown]);
    if (once) {
      return 0;
    }
    const { controlPlane } = cluster;
    const file = join(controlPlane.folder, 'outside.kubeconfig');
    // the certificate of the API server names this one, and addresses of the cluster
    const url = `https://localhost:${port}`;
    writeFileSync(file, kubeconfig(url, controlPlane.ca, controlPlane.token), { mode: 0o600 });
    await open(controlPlane.url);
    console.log(explain({ url, kubeconfig: file, kubectl: controlPlane.kubectlFile }));
    await told.catch(() => console.log());
    return 0;
  } catch (error) {
    if (signal.aborted) {
      return INTERRUPTED;
    }
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    if (cluster !== undefined) {
      log('stopping the cluster and removing its folders');
      await cluster.stop();
      // without an API server kubectl and others end, where they still run
      await shown?.catch(() => {});
    }
  }
}

/**
 * A promise that is rejected when the signal is given, and never fulfilled.
 *
 * @param {AbortSignal} signal
 * @returns {Promise<never>}
 */
function interruption(signal) {
  const told = new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  told.catch(() => {});
  return told;
}
