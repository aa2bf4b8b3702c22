/** The program of a container, or what is around it, cannot be started: the kubelet's StartError. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
