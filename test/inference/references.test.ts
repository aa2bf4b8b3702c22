import { findingText, formatPath } from '../../lib/composition';
import type { InferenceServiceSpec } from '../../imports/inference-service';
import { synthesize } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib/inference';
import { resource } from './support';

const side = (more: object) => ({ sidecars: [{ name: 'side', image: 'side:1', ...more }] });
const pod = (spec: object) => ({ podTemplate: { spec } });

/** What is refused at synthesis although its CRD admits it: what, the spec, the path, a part of the message. */
const broken: readonly (readonly [string, object, string, string])[] = [
  [
    'a file of a volume that is not there',
    { env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'a', key: 'b' } } }] },
    'spec.env[0].valueFrom.fileKeyRef.volumeName',
    'names "v"',
  ],
  [
    'all labels in one variable',
    { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }] },
    'spec.env[0].valueFrom.fieldRef.fieldPath',
    "metadata.labels['app']",
  ],
  [
    'a device that is no volume',
    pod({ containers: [{ name: 'inference-server', volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] }] }),
    'spec.podTemplate.spec.containers[0].volumeDevices[0].name',
    'names "v"',
  ],
  [
    'a device from a volume of files',
    { ...side({ volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] }), volumes: [{ name: 'v', emptyDir: {} }] },
    'spec.sidecars[0].volumeDevices[0].name',
    'persistentVolumeClaim',
  ],
  [
    'a claim that the pod does not have',
    side({ resources: { claims: [{ name: 'c' }] } }),
    'spec.sidecars[0].resources.claims[0].name',
    'names "c"',
  ],
  [
    'half a huge page',
    { resources: { limits: { 'hugepages-2Mi': '3Mi' } } },
    'spec.resources',
    'multiple of its page size',
  ],
  [
    'only huge pages',
    side({ resources: { limits: { 'hugepages-2Mi': '4Mi' } } }),
    'spec.sidecars[0].resources',
    'cpu or memory',
  ],
  [
    "a sidecar with the server's port name",
    side({ ports: [{ name: 'http', containerPort: 9 }] }),
    'spec.sidecars[0].ports[0]',
    '"http" is a port of the server already',
  ],
  [
    "a sidecar with the server's port",
    side({ ports: [{ containerPort: 8000 }] }),
    'spec.sidecars[0].ports[0]',
    '8000 TCP is a port of the server already',
  ],
  [
    'an unmasked /proc of the host',
    side({ securityContext: { procMount: 'Unmasked' } }),
    'spec.sidecars[0].securityContext.procMount',
    'hostUsers',
  ],
  [
    'a host address that is none',
    side({ ports: [{ containerPort: 9, hostPort: 9, hostIP: 'localhost' }] }),
    'spec.sidecars[0].ports[0].hostIP',
    'must be an IP address',
  ],
  [
    'a file below a file',
    {
      volumes: [
        {
          name: 'v',
          configMap: {
            name: 'c',
            items: [
              { key: 'a', path: 'x' },
              { key: 'b', path: 'x/y' },
            ],
          },
        },
      ],
    },
    'spec.volumes[0].configMap.items[1].path',
    'overlaps with "x"',
  ],
  [
    'a resource of no container',
    { volumes: [{ name: 'v', downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } }] },
    'spec.volumes[0].downwardAPI.items[0].resourceFieldRef.containerName',
    'is required',
  ],
  ['no name server', pod({ dnsPolicy: 'None' }), 'spec.podTemplate.spec.dnsConfig.nameservers', 'must name a server'],
  [
    'a name server by its name',
    pod({ dnsConfig: { nameservers: ['dns'] } }),
    'spec.podTemplate.spec.dnsConfig.nameservers[0]',
    'must be an IP address',
  ],
  [
    'an alias of a name',
    pod({ hostAliases: [{ ip: 'a', hostnames: ['b'] }] }),
    'spec.podTemplate.spec.hostAliases[0].ip',
    'must be an IP address',
  ],
  [
    "the host's processes for other users",
    pod({ hostUsers: false, hostPID: true }),
    'spec.podTemplate.spec.hostPID',
    'hostUsers false',
  ],
  [
    'a setting given twice',
    { podSecurityContext: { sysctls: ['1', '2'].map((value) => ({ name: 'net.core.somaxconn', value })) } },
    'spec.podSecurityContext.sysctls[1].name',
    'given twice',
  ],
];

test.each(broken)('%s is refused where it stands', (_what, spec, path, message) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written as users of YAML write it
  const result = synthesize(inferenceServiceComposition, resource(spec as Partial<InferenceServiceSpec>));
  expect(result.valid ? [] : result.errors.map(findingText)).toEqual([expect.stringContaining(message)]);
  expect(result.valid ? [] : result.errors.map((error) => formatPath(error.path))).toEqual([path]);
});

test('ports of sidecars that nobody else has are fine', () => {
  const spec = { sidecars: [{ name: 'side', image: 'side:1', ports: [{ name: 'side', containerPort: 9 }] }] };
  expect(synthesize(inferenceServiceComposition, resource(spec)).valid).toBe(true);
});
