import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Image } from './image';
import type { PodAddress } from './network';
import type { Container, EnvVar, Pod } from './pod';
import { ConfigError, type ContainerRequest, type ObjectReader, type Volumes } from './runtime-types';

/** How the values of a container's spec are made; see runtime/. */
export interface Resolver {
  resolveEnv(
    pod: Pod,
    container: Container,
    reader: ObjectReader,
    podIP: string,
    image: Image,
    hostIP?: string,
  ): Promise<Readonly<Record<string, string>>>;
  resolveCommand(image: Image, container: Container, env: Readonly<Record<string, string>>): readonly string[];
}

export interface RequestParts {
  readonly id: string;
  readonly pod: Pod;
  readonly container: Container;
  readonly image: Image;
  readonly place: PodAddress;
  readonly hostIP: string;
  readonly volumes: Volumes;
  readonly reader: ObjectReader;
  readonly resolver: Resolver;
  /** Folder of the container's logs. */
  readonly folder: string;
  readonly run: number;
}

/**
 * Resolves what a container's spec says into what the runtime is asked to start.
 *
 * @throws ConfigError when something that it refers to is not there, or the user may not be root
 */
export async function containerRequest(parts: RequestParts): Promise<ContainerRequest> {
  const { container, folder, hostIP, image, place, pod, reader, resolver, run, volumes } = parts;
  const ids = identity(pod, container, image);
  const env = await resolver.resolveEnv(pod, container, reader, place.address, image, hostIP);
  const command = resolver.resolveCommand(image, container, env);
  const { capabilities, allowPrivilegeEscalation, readOnlyRootFilesystem } = container.securityContext ?? {};
  mkdirSync(folder, { recursive: true });
  return {
    id: parts.id,
    image,
    command,
    env,
    workingDir: container.workingDir ?? (image.kind === 'process' ? (image.workingDir ?? '/') : '/'),
    ...ids,
    readOnlyRoot: readOnlyRootFilesystem ?? false,
    capabilitiesDropped: capabilities?.drop?.includes('ALL') ?? false,
    noNewPrivileges: allowPrivilegeEscalation === false,
    hostname: pod.spec.hostname ?? pod.metadata.name.slice(0, 63),
    mounts: (container.volumeMounts ?? []).map(({ name, mountPath, readOnly = false, subPath }) => ({
      source: volumes.path(name),
      path: mountPath,
      readOnly,
      ...(subPath === undefined || subPath === '' ? {} : { subPath }),
    })),
    logFile: join(folder, `${run}.log`),
    terminationMessagePath: container.terminationMessagePath ?? '/dev/termination-log',
    address: place.address,
    networkNamespace: place.namespace,
  };
}

/** User and groups by the container's, then the pod's security context, then the image. */
export function identity(
  pod: Pod,
  container: Container,
  image: Image,
): { readonly uid: number; readonly gid: number; readonly groups: readonly number[] } {
  const ofPod = pod.spec.securityContext;
  const own = container.securityContext;
  const uid = own?.runAsUser ?? ofPod?.runAsUser ?? (image.kind === 'process' ? (image.user ?? 0) : 65532);
  if ((own?.runAsNonRoot ?? ofPod?.runAsNonRoot) === true && uid === 0) {
    const who = `pod: "${pod.metadata.name}_${pod.metadata.namespace}(${pod.metadata.uid})", container: ${container.name}`;
    throw new ConfigError(
      (own?.runAsUser ?? ofPod?.runAsUser) === 0
        ? `container's runAsUser breaks non-root policy (${who})`
        : `container has runAsNonRoot and image will run as root (${who})`,
    );
  }
  const groups = [...(ofPod?.supplementalGroups ?? []), ...(ofPod?.fsGroup === undefined ? [] : [ofPod.fsGroup])];
  return { uid, gid: own?.runAsGroup ?? ofPod?.runAsGroup ?? 0, groups };
}

/** A command of a probe or a hook: `$(NAME)` stands for a variable that the spec gives a fixed value. */
export function expandStatic(command: readonly string[], env: readonly EnvVar[] = []): readonly string[] {
  const values = new Map(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])));
  return command.map((word) =>
    word.replaceAll(/\$(\$|\(([^)]*)\))/g, (whole, what: string, name: string | undefined) =>
      what === '$' ? '$' : (values.get(name ?? '') ?? whole),
    ),
  );
}
