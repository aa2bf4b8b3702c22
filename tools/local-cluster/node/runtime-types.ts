import type { Image } from './image';

/** A container as the runtime is asked to start it; everything in it is resolved already. */
export interface ContainerRequest {
  /** Unique on the node, and fit for a file's name. */
  readonly id: string;
  readonly image: Image;
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly readOnlyRoot: boolean;
  readonly capabilitiesDropped: boolean;
  readonly noNewPrivileges: boolean;
  readonly hostname: string;
  readonly mounts: readonly Mount[];
  /** File that standard output and standard error are appended to. Its folder exists. */
  readonly logFile: string;
  /** Path inside the container. */
  readonly terminationMessagePath: string;
  /** Address of the pod. What a light container listens at; a process container has it on its eth0 already. */
  readonly address: string;
  /** File of the pod's network namespace (`/proc/PID/ns/net`), to be entered. Undefined for a light container. */
  readonly networkNamespace: string | undefined;
}

export interface Mount {
  /** Path on this machine, an absolute one. */
  readonly source: string;
  /** Path inside the container. */
  readonly path: string;
  readonly readOnly: boolean;
  readonly subPath?: string;
}

export interface Exit {
  /** 128 plus the signal's number when a signal ended it. */
  readonly exitCode: number;
  readonly signal?: number;
  /** What lay at the terminationMessagePath, at most 4096 bytes. */
  readonly message?: string;
}

export type ExecResult = { readonly exitCode: number; readonly output: string } | 'timeout';

export interface RunningContainer {
  /** The container's process 1, as seen outside; undefined for a light container. */
  readonly pid: number | undefined;
  /** Settles once, never rejects. */
  readonly exited: Promise<Exit>;
  /** Sends a signal to the container's process 1; does nothing once it has ended. */
  signal(signal: NodeJS.Signals): void;
  /** Runs a command inside the container, as its user, and with its environment. */
  exec(command: readonly string[], timeoutSeconds: number): Promise<ExecResult>;
}

export interface Runtime {
  /** @throws UnsupportedError for what it does not do, Error when the program cannot be started */
  start(request: ContainerRequest): Promise<RunningContainer>;
}

/** Reads from the API server what containers and volumes need. */
export interface ObjectReader {
  /** The object at a path such as `/api/v1/namespaces/default/secrets/key`; undefined where there is none. */
  read(path: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** A token of a ServiceAccount, bound to a pod. */
  token(request: TokenRequest): Promise<Token>;
}

export interface TokenRequest {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** @default the API server's own */
  readonly audience?: string;
  readonly expirationSeconds: number;
  readonly pod: { readonly name: string; readonly uid: string };
}

export interface Token {
  readonly token: string;
  readonly expires: Date;
}

/** The volumes of one pod. */
export interface Volumes {
  /** Path on this machine of a volume, by its name. */
  path(volume: string): string;
  /** Writes anew what has changed: tokens that grow old, ConfigMaps and Secrets. */
  refresh(): Promise<void>;
  remove(): Promise<void>;
}

/** The pod asks for something that the test node does not do. The message names the field. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';
}

/** What a container refers to is not there, or is wrong: CreateContainerConfigError. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
