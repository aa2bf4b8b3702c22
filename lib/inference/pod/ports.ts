import type { Engine } from '../engines';
import { httpPort, type AdmittedSpec } from '../admitted';

/** A port of the server. */
export interface ServerPort {
  readonly name: string;
  readonly containerPort: number;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
}

/** The server's ports: `http`, then the engine's own where the user moved them to, then the user's further ones. */
export function serverPorts(spec: AdmittedSpec, engine: Engine): readonly ServerPort[] {
  const user = spec.ports ?? [];
  const own = engine.ports.map(
    ({ name, containerPort }): ServerPort =>
      user.find((port) => port.name === name) ?? { name, containerPort, protocol: 'TCP' },
  );
  const further = user.filter((port) => !engine.ports.some(({ name }) => name === port.name));
  return [
    { name: httpPort, containerPort: spec.port, protocol: 'TCP' },
    ...own,
    ...further.map(({ name, containerPort, protocol }): ServerPort => ({ name, containerPort, protocol })),
  ];
}

/**
 * The number of a port.
 *
 * @throws if the engine has no port of that name
 */
export function portNumber(spec: AdmittedSpec, engine: Engine, name: string): number {
  const found = serverPorts(spec, engine).find((port) => port.name === name);
  if (!found) throw new Error(`framework ${spec.model.framework} has no port "${name}"`);
  return found.containerPort;
}
