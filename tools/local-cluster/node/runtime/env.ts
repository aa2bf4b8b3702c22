import type { Image } from '../image';
import type { Container, EnvFrom, EnvVar, KeyRef, Pod } from '../pod';
import { ConfigError, type ObjectReader, UnsupportedError } from '../runtime-types';
import { expand } from './expand';
import { type Addresses, fieldValue, resourceValue } from './fields';
import { type Data, type DataKind, namespaceOf, readData, titleOf } from './objects';
import { serviceEnv } from './service-env';

/**
 * The environment of a container, as the kubelet and the runtime below it make it: the image's variables, HOSTNAME, those
 * of Services, `envFrom`, `env`, each of which wins over those before it.
 *
 * @throws ConfigError where something that is referred to is missing
 */
export async function resolveEnv(
  pod: Pod,
  container: Container,
  reader: ObjectReader,
  podIP: string,
  image: Image,
  hostIP?: string,
): Promise<Readonly<Record<string, string>>> {
  const services = await serviceEnv(pod, reader);
  const sources = new Sources(pod, reader);
  const own = new Map<string, string>();
  for (const source of container.envFrom ?? []) await addAll(own, source, sources);
  // Later variables see earlier ones, and services last.
  const lookup = (name: string): string | undefined => own.get(name) ?? services[name];
  for (const variable of container.env ?? []) {
    const value = await valueOf(variable, { pod, container, sources, addresses: { podIP, hostIP }, lookup });
    if (value !== undefined) own.set(variable.name, value);
  }
  return {
    ...(image.kind === 'process' ? image.env : {}),
    HOSTNAME: pod.spec.hostname ?? pod.metadata.name,
    ...services,
    ...Object.fromEntries(own),
  };
}

interface Context {
  readonly pod: Pod;
  readonly container: Container;
  readonly sources: Sources;
  readonly addresses: Addresses;
  lookup(name: string): string | undefined;
}

/** Undefined where an optional source is missing. */
async function valueOf(variable: EnvVar, context: Context): Promise<string | undefined> {
  const { value, valueFrom } = variable;
  if (value !== undefined && value !== '') return expand(value, (name) => context.lookup(name));
  if (valueFrom === undefined) return '';
  const { configMapKeyRef, fieldRef, resourceFieldRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) return fieldValue(context.pod, fieldRef, context.addresses);
  if (resourceFieldRef !== undefined) return resourceValue(context.pod, context.container, resourceFieldRef);
  if (configMapKeyRef !== undefined) return context.sources.value('configMap', configMapKeyRef);
  if (secretKeyRef !== undefined) return context.sources.value('secret', secretKeyRef);
  throw new UnsupportedError(`env ${variable.name}: valueFrom ${Object.keys(valueFrom).join(', ')} is not known here`);
}

async function addAll(env: Map<string, string>, source: EnvFrom, sources: Sources): Promise<void> {
  const { prefix = '', configMapRef, secretRef } = source;
  const kind = configMapRef === undefined ? 'secret' : 'configMap';
  const ref = configMapRef ?? secretRef;
  if (ref === undefined) throw new UnsupportedError(`envFrom ${Object.keys(source).join(', ')} is not known here`);
  const data = await sources.data(kind, ref);
  for (const [key, value] of data ?? []) env.set(prefix + key, value.toString());
}

/** The Secrets and ConfigMaps that one container's variables come from, each of which is read once. */
class Sources {
  readonly #read = new Map<string, Promise<Data | undefined>>();

  constructor(
    private readonly pod: Pod,
    private readonly reader: ObjectReader,
  ) {}

  /** Undefined where it is missing and may be. */
  async data(kind: DataKind, ref: { readonly name: string; readonly optional?: boolean }): Promise<Data | undefined> {
    const { name, optional } = ref;
    const key = `${kind}/${name}`;
    const reading = this.#read.get(key) ?? readData(this.reader, this.pod, kind, name);
    this.#read.set(key, reading);
    const data = await reading;
    if (data === undefined && optional !== true) throw new ConfigError(`${kind.toLowerCase()} "${name}" not found`);
    return data;
  }

  async value(kind: DataKind, ref: KeyRef): Promise<string | undefined> {
    const data = await this.data(kind, ref);
    const value = data?.get(ref.key);
    if (value === undefined && ref.optional !== true) {
      const name = `${titleOf(kind)} ${namespaceOf(this.pod)}/${ref.name}`;
      throw new ConfigError(`couldn't find key ${ref.key} in ${name}`);
    }
    return value?.toString();
  }
}
