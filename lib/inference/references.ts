import { isIP } from 'node:net';
import type { Container, ContainerPort, EnvVar, Volume } from '../../imports/k8s';
import { Quantity } from '../composition/quantity';
import type { FindingProps } from '../composition/finding';
import { engines } from './engines';
import { serverPorts } from './pod/ports';
import { quantityValue } from './quantity';
import type { AdmittedSpec } from './admitted';

/** A container of the pod, and where its fields stand in the resource. */
interface Place {
  readonly path: string;
  readonly container: Pick<Container, 'env' | 'ports' | 'resources' | 'securityContext' | 'volumeDevices'>;
  /** Where its volumeDevices stand, if not below `path`. */
  readonly devices?: string;
}

/**
 * What Kubernetes refuses although every field is right by itself: names that nothing has, settings that need another
 * one. The CRD cannot say it, or only with rules that cost the API server too much.
 */
export function brokenReferences(spec: AdmittedSpec): readonly FindingProps[] {
  const places = containers(spec);
  return [
    ...places.flatMap((place) => [...missingVolumes(place, spec), ...missingClaims(place, spec), ...hugePages(place)]),
    ...places.flatMap(({ container, path }) => [...unmasked(container, path, spec), ...hostAddresses(container, path)]),
    ...places.flatMap(({ container, path }) => fieldsOfEnv(container, path)),
    ...sharedPorts(places, spec),
    ...(spec.volumes ?? []).flatMap((volume, index) => [
      ...unnamedContainers(volume, index),
      ...overlappingFiles(volume, index),
    ]),
    ...dns(spec),
    ...hostNames(spec),
    ...twice(spec.podSecurityContext?.sysctls ?? [], 'spec.podSecurityContext.sysctls'),
  ].map((props) => ({ code: 'rule', ...props }));
}

function containers(spec: AdmittedSpec): readonly Place[] {
  const { env, resources, securityContext } = spec;
  const [overlay] = spec.podTemplate?.spec?.containers ?? [];
  const volumeDevices = overlay?.volumeDevices?.map(({ devicePath, name = '' }) => ({ devicePath, name }));
  return [
    {
      path: 'spec',
      devices: 'spec.podTemplate.spec.containers[0]',
      container: {
        ...(env && { env }),
        ...(resources && { resources }),
        ...(securityContext && { securityContext }),
        ...(volumeDevices && { volumeDevices }),
      },
    },
    ...(spec.sidecars ?? []).map((container, index) => ({ path: `spec.sidecars[${index}]`, container })),
    ...(spec.initContainers ?? []).map((container, index) => ({ path: `spec.initContainers[${index}]`, container })),
  ];
}

function missingVolumes({ path, devices = path, container }: Place, spec: AdmittedSpec): readonly FindingProps[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const files = (container.env ?? []).flatMap(({ valueFrom }: EnvVar, index) => {
    const name = valueFrom?.fileKeyRef?.volumeName;
    return name === undefined || volumes.has(name)
      ? []
      : [
          {
            code: 'reference',
            path: `${path}.env[${index}].valueFrom.fileKeyRef.volumeName`,
            message: noSuch(name, 'spec.volumes'),
          },
        ];
  });
  const seen = new Set<string>();
  const blocks = (container.volumeDevices ?? []).flatMap(({ name, devicePath }, index) => {
    const at = `${devices}.volumeDevices[${index}]`;
    const volume = volumes.get(name);
    const repeated = seen.has(name);
    seen.add(name);
    if (volume === undefined) return [{ code: 'reference', path: `${at}.name`, message: noSuch(name, 'spec.volumes') }];
    if (repeated) return [{ path: `${at}.name`, message: `"${name}" is given twice`, code: 'duplicate' }];
    if (/(^|\/)\.\.(\/|$)/.test(devicePath)) {
      return [{ path: `${at}.devicePath`, message: 'must not contain ".." as a part of its path' }];
    }
    return volume.persistentVolumeClaim || volume.ephemeral
      ? []
      : [
          {
            path: `${at}.name`,
            message: `needs a persistentVolumeClaim or an ephemeral volume, which "${name}" is not`,
          },
        ];
  });
  return [...files, ...blocks];
}

/** Huge pages come in whole pages, and only beside an ordinary request. */
function hugePages({ path, container }: Place): readonly FindingProps[] {
  const { requests = {}, limits = {} } = container.resources ?? {};
  const all = { ...requests, ...limits };
  const huge = Object.entries(all).filter(([name]) => name.startsWith('hugepages-'));
  const pages = huge.flatMap(([name, amount]) => {
    const page = Quantity.parse(name.slice('hugepages-'.length))?.asApproximateFloat() ?? 0;
    const ratio = quantityValue(amount) / page;
    return Number.isInteger(ratio)
      ? []
      : [{ path: `${path}.resources`, message: `${name} must be a multiple of its page size, but is ${amount}` }];
  });
  // The server's container always has a request for cpu and memory.
  const alone = huge.length > 0 && path !== 'spec' && !('cpu' in all) && !('memory' in all);
  return alone
    ? [...pages, { path: `${path}.resources`, message: 'huge pages need cpu or memory beside them' }]
    : pages;
}

function missingClaims({ path, container }: Place, spec: AdmittedSpec): readonly FindingProps[] {
  const known = new Set((spec.resourceClaims ?? []).map(({ name }) => name));
  return (container.resources?.claims ?? []).flatMap(({ name }, index) =>
    known.has(name)
      ? []
      : [
          {
            code: 'reference',
            path: `${path}.resources.claims[${index}].name`,
            message: noSuch(name, 'spec.resourceClaims'),
          },
        ],
  );
}

function unmasked(container: Place['container'], path: string, spec: AdmittedSpec): readonly FindingProps[] {
  if (container.securityContext?.procMount !== 'Unmasked' || spec.podTemplate?.spec?.hostUsers === false) return [];
  return [
    { path: `${path}.securityContext.procMount`, message: 'Unmasked needs podTemplate.spec.hostUsers to be false' },
  ];
}

function hostAddresses(container: Place['container'], path: string): readonly FindingProps[] {
  return (container.ports ?? []).flatMap(({ hostIP = '' }, index) =>
    hostIP === '' || isIP(hostIP) !== 0 ? [] : [noAddress(`${path}.ports[${index}].hostIP`, hostIP)],
  );
}

function unnamedContainers(volume: Volume, index: number): readonly FindingProps[] {
  const sources = volume.projected?.sources ?? [];
  const path = `spec.volumes[${index}]`;
  const lists = [
    { path: `${path}.downwardAPI.items`, items: volume.downwardAPI?.items ?? [] },
    ...sources.map(({ downwardAPI }, at) => ({
      path: `${path}.projected.sources[${at}].downwardAPI.items`,
      items: downwardAPI?.items ?? [],
    })),
  ];
  return lists.flatMap((list) =>
    list.items.flatMap(({ resourceFieldRef }, at) =>
      resourceFieldRef && !resourceFieldRef.containerName
        ? [
            {
              path: `${list.path}[${at}].resourceFieldRef.containerName`,
              message: 'is required in a volume, such as inference-server',
            },
          ]
        : [],
    ),
  );
}

const wholeMap = /^metadata\.(labels|annotations)$/;

function fieldsOfEnv(container: Place['container'], path: string): readonly FindingProps[] {
  return (container.env ?? []).flatMap(({ valueFrom }, index) => {
    const fieldPath = valueFrom?.fieldRef?.fieldPath ?? '';
    const message = `${fieldPath} as a whole is for volumes; a variable takes one entry, such as ${fieldPath}['app']`;
    return wholeMap.test(fieldPath) ? [{ path: `${path}.env[${index}].valueFrom.fieldRef.fieldPath`, message }] : [];
  });
}

/**
 * The Service and the probes look ports up by name, and find those of init containers first; and no two containers of a
 * pod can listen on the same one.
 */
function sharedPorts(places: readonly Place[], spec: AdmittedSpec): readonly FindingProps[] {
  const owners = new Map<string, string>();
  for (const port of serverPorts(spec, engines[spec.model.framework])) {
    for (const key of portKeys(port)) owners.set(key, 'the server');
  }
  return places.flatMap(({ container, path }) =>
    (container.ports ?? []).flatMap((port, index) =>
      portKeys(port).flatMap((key) => {
        const owner = owners.get(key);
        if (owner === undefined) owners.set(key, path);
        return owner === undefined
          ? []
          : [{ path: `${path}.ports[${index}]`, message: `${key} is a port of ${owner} already` }];
      }),
    ),
  );
}

function portKeys({ name, containerPort, protocol = 'TCP' }: ContainerPort): readonly string[] {
  return [...(name === undefined ? [] : [`"${name}"`]), `${containerPort} ${protocol}`];
}

function overlappingFiles(volume: Volume, index: number): readonly FindingProps[] {
  const { configMap, secret, downwardAPI, projected } = volume;
  const sources = [
    { path: 'configMap.items', items: configMap?.items },
    { path: 'secret.items', items: secret?.items },
    { path: 'downwardAPI.items', items: downwardAPI?.items },
    ...(projected?.sources ?? []).flatMap((source, at) =>
      (['configMap', 'secret', 'downwardAPI'] as const).map((kind) => ({
        path: `projected.sources[${at}].${kind}.items`,
        items: source[kind]?.items,
      })),
    ),
  ];
  const seen: string[] = [];
  return sources.flatMap(({ path, items = [] }) =>
    items.flatMap((item, at) => {
      const file = `${item.path}/`;
      const other = seen.find((before) => before.startsWith(file) || file.startsWith(before));
      seen.push(file);
      return other === undefined
        ? []
        : [{ path: `spec.volumes[${index}].${path}[${at}].path`, message: `overlaps with "${other.slice(0, -1)}"` }];
    }),
  );
}

function dns(spec: AdmittedSpec): readonly FindingProps[] {
  const { dnsConfig, dnsPolicy } = spec.podTemplate?.spec ?? {};
  const nameservers = dnsConfig?.nameservers ?? [];
  const path = 'spec.podTemplate.spec.dnsConfig.nameservers';
  return [
    ...nameservers.flatMap((address, index) => (isIP(address) === 0 ? [noAddress(`${path}[${index}]`, address)] : [])),
    ...(dnsPolicy === 'None' && nameservers.length === 0
      ? [{ path, message: 'must name a server, as dnsPolicy is None' }]
      : []),
  ];
}

function hostNames(spec: AdmittedSpec): readonly FindingProps[] {
  const pod = spec.podTemplate?.spec ?? {};
  const { hostAliases = [], hostnameOverride, hostNetwork, hostUsers, setHostnameAsFQDN } = pod;
  const path = 'spec.podTemplate.spec';
  return [
    ...(['hostIPC', 'hostNetwork', 'hostPID'] as const).flatMap((field) =>
      hostUsers === false && pod[field] === true
        ? [{ path: `${path}.${field}`, message: 'is not possible with hostUsers false' }]
        : [],
    ),
    ...hostAliases.flatMap(({ ip }, index) =>
      isIP(ip) === 0 ? [noAddress(`${path}.hostAliases[${index}].ip`, ip)] : [],
    ),
    ...(hostnameOverride !== undefined && (hostNetwork === true || setHostnameAsFQDN === true)
      ? [{ path: `${path}.hostnameOverride`, message: 'is not possible with hostNetwork or setHostnameAsFQDN' }]
      : []),
  ];
}

function twice(entries: readonly { readonly name: string }[], path: string): readonly FindingProps[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name }, index) => {
    const repeated = seen.has(name);
    seen.add(name);
    return repeated ? [{ path: `${path}[${index}].name`, message: `"${name}" is given twice`, code: 'duplicate' }] : [];
  });
}

function noSuch(name: string, list: string): string {
  return `names "${name}", which ${list} does not have`;
}

function noAddress(path: string, came: string): FindingProps {
  return {
    code: 'format',
    path,
    message: `must be an IP address such as 10.0.0.1 or 2001:db8::1, but is ${JSON.stringify(came)}`,
  };
}
