/** A real control plane for tests; see README.md in this folder. */
export type { FindOptions } from '../go/programs';
export type { Method, Response, Status } from './client';
export { type Cluster, type ClusterOptions, startCluster } from './cluster';
export type { AuditEvent, Component, ControlPlane, Identity } from './control-plane';
export { KubectlError, type KubectlOptions, type KubectlOutput } from './kubectl';
export { type Binary, BINARIES, findBinaries } from './control-plane-programs';
export type { Image, LightImage, ProcessImage } from './node/image';
export type { NodeOptions } from './node/node-object';
export { poll } from './poll';
export { prepareCluster } from './prepare';
export { type ControlPlaneOptions, startControlPlane } from './start';
