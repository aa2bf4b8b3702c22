import type { Pod } from '../pod';
import type { ObjectReader } from '../runtime-types';
import { namespaceOf } from './objects';

interface Service {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly clusterIP?: string;
    readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[];
  };
}

/** The Service of the API server, which every container hears of: its cluster IP is the first of the Services' range. */
const kubernetes: Service = {
  metadata: { name: 'kubernetes' },
  spec: { clusterIP: '10.0.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP' }] },
};

/** The variables that name Services: of the API server's, and unless `enableServiceLinks` is false of the namespace's. */
export async function serviceEnv(pod: Pod, reader: ObjectReader): Promise<Readonly<Record<string, string>>> {
  const services = pod.spec.enableServiceLinks === false ? [] : await list(pod, reader);
  return Object.fromEntries([kubernetes, ...services].flatMap(variables));
}

async function list(pod: Pod, reader: ObjectReader): Promise<readonly Service[]> {
  const answer = await reader.read(`/api/v1/namespaces/${namespaceOf(pod)}/services`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the path says
  return (answer as { readonly items?: readonly Service[] } | undefined)?.items ?? [];
}

function variables({ metadata, spec }: Service): readonly (readonly [string, string])[] {
  const { clusterIP = '', ports = [] } = spec;
  const [first] = ports;
  // Those without an address are headless, or mere names of somebody else.
  if (clusterIP === '' || clusterIP === 'None' || first === undefined) return [];
  const prefix = variableName(metadata.name);
  const host = clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP;
  const links = ports.flatMap(({ name = '', port, protocol = 'TCP' }) => {
    const link = `${prefix}_PORT_${port}_${protocol}`;
    const scheme = protocol.toLowerCase();
    return [
      ...(name === '' ? [] : [[`${prefix}_SERVICE_PORT_${variableName(name)}`, `${port}`] as const]),
      [link, `${scheme}://${host}:${port}`] as const,
      [`${link}_PROTO`, scheme] as const,
      [`${link}_PORT`, `${port}`] as const,
      [`${link}_ADDR`, clusterIP] as const,
    ];
  });
  return [
    [`${prefix}_SERVICE_HOST`, clusterIP],
    [`${prefix}_SERVICE_PORT`, `${first.port}`],
    [`${prefix}_PORT`, `${(first.protocol ?? 'TCP').toLowerCase()}://${host}:${first.port}`],
    ...links,
  ];
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
