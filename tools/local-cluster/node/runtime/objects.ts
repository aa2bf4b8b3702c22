import type { Pod } from '../pod';
import type { ObjectReader } from '../runtime-types';

/** What is in a Secret or ConfigMap: key to content. */
export type Data = ReadonlyMap<string, Buffer>;

export type DataKind = 'secret' | 'configMap';

const titles = { secret: 'Secret', configMap: 'ConfigMap' } as const;

export function titleOf(kind: DataKind): string {
  return titles[kind];
}

/** Reads what is in a Secret or ConfigMap of a pod's namespace; undefined where there is none. */
export async function readData(
  reader: ObjectReader,
  pod: Pod,
  kind: DataKind,
  name: string,
): Promise<Data | undefined> {
  const object = await reader.read(`/api/v1/namespaces/${namespaceOf(pod)}/${kind.toLowerCase()}s/${name}`);
  if (object === undefined) return undefined;
  const text = entries(object['data']).map(
    ([key, value]) => [key, Buffer.from(value, kind === 'secret' ? 'base64' : 'utf8')] as const,
  );
  const binary = entries(object['binaryData']).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const);
  return new Map([...text, ...binary]);
}

export function namespaceOf(pod: Pod): string {
  return pod.metadata.namespace ?? 'default';
}

function entries(value: unknown): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, text]) => [key, String(text)] as const);
}
