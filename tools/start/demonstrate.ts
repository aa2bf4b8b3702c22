import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, startCluster } from '../local-cluster';
import { infernoImage } from '../local-cluster/images';
import { kubeconfig } from '../local-cluster/kubeconfig';
import { run } from '../run';
import { explain } from './explain';
import { progress } from './progress';
import { show } from './show';

/** Exit code where a signal ended it before it was done. */
export const INTERRUPTED = 130;

export interface StartOptions {
  /** End after the answer. */
  readonly once: boolean;
  /** Milliseconds, as Date.now() gives them. */
  readonly started: number;
}

interface Surroundings {
  /** Where the API server can be reached from outside the namespace, on 127.0.0.1. */
  readonly port: number;
  /** Lets connections at that port through to this URL. */
  readonly open: (url: string) => Promise<void>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Runs Inferno in a cluster, and shows it. Cleans up behind itself when a signal ends it.
 *
 * @returns the exit code
 */
export async function demonstrate({ once, open, port, signal, started }: StartOptions & Surroundings): Promise<number> {
  const log = progress(started);
  const told = interruption(signal);
  let cluster: Cluster | undefined;
  let shown: Promise<void> | undefined;
  try {
    signal.throwIfAborted();
    log('rendering the samples and the manifests into dist/');
    const rendered = run(process.execPath, ['build/main.js'], { signal });
    // where the cluster does not start, that is what is reported
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

/** A promise that is rejected when the signal is given, and never fulfilled. */
function interruption(signal: AbortSignal): Promise<never> {
  const told = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true });
  });
  told.catch(() => {});
  return told;
}
