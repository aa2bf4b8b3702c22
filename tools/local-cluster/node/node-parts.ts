import type { NodeApi } from './api';
import type { EventRecorder } from './events';
import type { Image } from './image';
import type { Limiter } from './limiter';
import type { Log } from './log';
import type { PodNetwork } from './network';
import type { Pod } from './pod';
import type { Resolver } from './request';
import type { ObjectReader, Runtime, Volumes } from './runtime-types';

/** What a pod's worker has from its node. */
export interface NodeParts {
  readonly hostIP: string;
  /** Folder of this node, in which `pods` has the logs and `volumes` the volumes. */
  readonly folder: string;
  readonly backoffSeconds: number;
  readonly images: ReadonlyMap<string, Image>;
  readonly api: NodeApi;
  readonly events: EventRecorder;
  readonly log: Log;
  readonly network: PodNetwork;
  readonly runtime: Runtime;
  readonly resolver: Resolver;
  readonly starts: Limiter;
  prepareVolumes(pod: Pod, folder: string, reader: ObjectReader): Promise<Volumes>;
}
