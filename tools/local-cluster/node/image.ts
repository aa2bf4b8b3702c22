/** What the pods' image names stand for on the test nodes. */
export type Image = ProcessImage | LightImage;

/** A folder that is the root file system of the image, and what an image's config says. */
export interface ProcessImage {
  readonly kind: 'process';
  /** As it stands in the pod's spec. */
  readonly name: string;
  /** Folder with the image's files, an absolute path. */
  readonly root: string;
  readonly entrypoint: readonly string[];
  /** The image's CMD. @default none */
  readonly command?: readonly string[];
  /** @default none */
  readonly env?: Readonly<Record<string, string>>;
  /** @default 0 */
  readonly user?: number;
  /** @default / */
  readonly workingDir?: string;
  /** Folders of this machine that are bound read-only into the root at the same path, e.g. the C library's. @default none */
  readonly host?: readonly string[];
}

/**
 * The fake model server for thousands of pods: one shared process of each node, which listens at each pod's address.
 * Args and env are as for the real image; what the fake engine does not render is refused.
 */
export interface LightImage {
  readonly kind: 'light';
  /** As it stands in the pod's spec. */
  readonly name: string;
}
