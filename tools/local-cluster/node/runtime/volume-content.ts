import type { FieldRef, Pod, ResourceFieldRef, Volume } from '../pod';
import { type ObjectReader, type Token, UnsupportedError } from '../runtime-types';
import type { VolumeFile, VolumeFiles } from './atomic-files';
import { fieldValue, resourceValue } from './fields';
import { type DataKind, namespaceOf, readData } from './objects';

interface Item {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

interface DataSource {
  readonly name?: string;
  /** What a Secret volume has for `name`. */
  readonly secretName?: string;
  readonly items?: readonly Item[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

interface DownwardApi {
  readonly defaultMode?: number;
  readonly items?: readonly {
    readonly path: string;
    readonly mode?: number;
    readonly fieldRef?: FieldRef;
    readonly resourceFieldRef?: ResourceFieldRef;
  }[];
}

interface TokenSource {
  readonly path: string;
  readonly audience?: string;
  readonly expirationSeconds?: number;
}

interface Projection {
  readonly secret?: DataSource;
  readonly configMap?: DataSource;
  readonly downwardAPI?: DownwardApi;
  readonly serviceAccountToken?: TokenSource;
}

interface Projected {
  readonly defaultMode?: number;
  readonly sources?: readonly Projection[];
}

export interface ContentContext {
  readonly pod: Pod;
  readonly reader: ObjectReader;
  readonly tokens: Tokens;
  /** Who owns tokens: the user that all containers run as, undefined where they differ. */
  readonly user: number | undefined;
}

/** The kinds of volume whose files are made from objects. */
export const contentKinds = ['secret', 'configMap', 'downwardAPI', 'projected'] as const;
export type ContentKind = (typeof contentKinds)[number];

const DEFAULT_MODE = 0o644;

/**
 * What the files of a volume should be now.
 *
 * @throws Error in the kubelet's words where an object or a key is missing
 */
export async function volumeFiles(volume: Volume, kind: ContentKind, context: ContentContext): Promise<VolumeFiles> {
  const source = volume[kind];
  // oxlint-disable typescript/no-unsafe-type-assertion -- the API server has checked their shapes
  if (kind === 'downwardAPI') return downward(source as DownwardApi, DEFAULT_MODE, context);
  if (kind === 'projected') return projected(volume.name, source as Projected, context);
  return data(kind, source as DataSource, DEFAULT_MODE, context);
  // oxlint-enable typescript/no-unsafe-type-assertion
}

async function projected(volume: string, source: Projected, context: ContentContext): Promise<VolumeFiles> {
  const files = new Map<string, VolumeFile>();
  const mode = source.defaultMode ?? DEFAULT_MODE;
  for (const [index, projection] of (source.sources ?? []).entries()) {
    for (const [path, file] of await project(projection, mode, `${volume}/${index}`, context)) files.set(path, file);
  }
  return files;
}

async function project(
  projection: Projection,
  mode: number,
  key: string,
  context: ContentContext,
): Promise<VolumeFiles> {
  const { configMap, downwardAPI, secret, serviceAccountToken } = projection;
  if (secret !== undefined) return data('secret', secret, mode, context);
  if (configMap !== undefined) return data('configMap', configMap, mode, context);
  if (downwardAPI !== undefined) return downward(downwardAPI, mode, context);
  if (serviceAccountToken !== undefined) return token(serviceAccountToken, mode, key, context);
  throw new UnsupportedError(`projected volume: source ${Object.keys(projection).join(', ')} is not known here`);
}

async function data(
  kind: DataKind,
  source: DataSource,
  standard: number,
  context: ContentContext,
): Promise<VolumeFiles> {
  const { defaultMode = standard, items = [], optional = false } = source;
  const name = source.secretName ?? source.name ?? '';
  const content = await readData(context.reader, context.pod, kind, name);
  if (content === undefined && !optional) throw new Error(`${kind.toLowerCase()} "${name}" not found`);
  if (items.length === 0) {
    return new Map([...(content ?? [])].map(([key, text]) => [key, { content: text, mode: defaultMode }]));
  }
  const files = new Map<string, VolumeFile>();
  for (const { key, path, mode = defaultMode } of items) {
    const text = content?.get(key);
    if (text !== undefined) files.set(path, { content: text, mode });
    else if (!optional)
      throw new Error(`references non-existent ${kind === 'secret' ? 'secret' : 'config'} key: ${key}`);
  }
  return files;
}

function downward({ defaultMode, items = [] }: DownwardApi, standard: number, { pod }: ContentContext): VolumeFiles {
  return new Map(
    items.map(({ fieldRef, mode = defaultMode ?? standard, path, resourceFieldRef }) => {
      const text =
        resourceFieldRef === undefined
          ? fieldValue(pod, fieldRef ?? { fieldPath: '' })
          : resourceValue(pod, undefined, resourceFieldRef);
      return [path, { content: Buffer.from(text), mode }];
    }),
  );
}

async function token(source: TokenSource, mode: number, key: string, context: ContentContext): Promise<VolumeFiles> {
  const { pod, tokens, user } = context;
  const content = Buffer.from(await tokens.get(key, pod, source));
  const own = user !== undefined || pod.spec.securityContext?.fsGroup !== undefined;
  return new Map([[source.path, { content, mode: own ? 0o600 : mode, uid: user }]]);
}

interface Kept extends Token {
  readonly since: number;
}

/** The tokens of a pod's volumes, each of which is kept for four fifths of its life. */
export class Tokens {
  readonly #kept = new Map<string, Kept>();

  /** @param now milliseconds since 1970 */
  constructor(
    private readonly reader: ObjectReader,
    private readonly now: () => number = Date.now,
  ) {}

  async get(key: string, pod: Pod, { audience, expirationSeconds = 3600 }: TokenSource): Promise<string> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.now() < kept.since + (kept.expires.getTime() - kept.since) * 0.8) return kept.token;
    const { name, uid = '' } = pod.metadata;
    const fresh = await this.reader.token({
      namespace: namespaceOf(pod),
      serviceAccount: pod.spec.serviceAccountName ?? 'default',
      ...(audience === undefined || audience === '' ? {} : { audience }),
      expirationSeconds,
      pod: { name, uid },
    });
    this.#kept.set(key, { ...fresh, since: this.now() });
    return fresh.token;
  }
}
