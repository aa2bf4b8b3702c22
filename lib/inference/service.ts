import type { Service } from '../../imports/k8s';
import type { Identified } from '../composition/manifest';
import { engines } from './engines';
import { selectorLabels } from './labels';
import { serviceMetadata } from './metadata';
import { serverPorts } from './pod/ports';
import { httpPort, type AdmittedInferenceService } from './admitted';

/** The Service's port for HTTP; the server may listen at another. */
export const servicePort = 80;

/** The Service of a resource: `http` at port 80, every other port at its own number. */
export function service(resource: AdmittedInferenceService): Identified<Service> {
  const { spec } = resource;
  const ports = serverPorts(spec, engines[spec.model.framework]);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: serviceMetadata(resource),
    spec: {
      type: 'ClusterIP',
      selector: selectorLabels(resource),
      ports: ports.map(({ name, containerPort, protocol }) => ({
        name,
        port: name === httpPort ? servicePort : containerPort,
        targetPort: name,
        protocol,
      })),
    },
  };
}
