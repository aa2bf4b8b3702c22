import type { ContainerRequest } from '../../runtime-types';

/** What a container of a restricted pod is asked to be, where nothing else matters. */
export const restricted = {
  workingDir: '/',
  uid: 65_532,
  gid: 65_532,
  groups: [],
  readOnlyRoot: true,
  capabilitiesDropped: true,
  noNewPrivileges: true,
  mounts: [],
  terminationMessagePath: '/dev/termination-log',
  networkNamespace: undefined,
} satisfies Partial<ContainerRequest>;
