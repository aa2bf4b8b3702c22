import type { ResourceRequirements } from '../../../imports/k8s';
import type { Engine } from '../engines';
import { defined, own } from '../../composition/objects';
import { quantityText, quantityValue, type QuantityText } from '../quantity';
import type { AdmittedSpec } from '../admitted';

type Quantities = Readonly<Record<string, QuantityText>>;

/** Names of resources that are accelerators, of any vendor. */
const acceleratorName = /gpu|gaudi|neuron|npu|\/tpu|\/mig-|\/xe$|\/i915$/i;

/** What the server's container requests and is limited to. */
export function resourceRequirements(spec: AdmittedSpec, engine: Engine): ResourceRequirements {
  const { cpu, memory, gpu, gpuResourceName, requests, limits, claims } = spec.resources ?? {};
  const short = (name: string, value: QuantityText | undefined): Quantities =>
    value === undefined ? {} : { [name]: value };
  const devices = gpu !== undefined && gpuResourceName && quantityValue(gpu) > 0 ? short(gpuResourceName, gpu) : {};
  const memoryAndDevices = { ...short('memory', memory), ...devices };
  const said = { ...requests, ...limits, ...short('cpu', cpu), ...memoryAndDevices };
  // Where there is only a limit, Kubernetes takes it as the request.
  const defaults = Object.entries(engine.requests).filter(([name]) => !Object.hasOwn(said, name));
  return defined<ResourceRequirements>({
    requests: texts({ ...Object.fromEntries(defaults), ...requests, ...short('cpu', cpu), ...memoryAndDevices }),
    limits: texts({ ...limits, ...memoryAndDevices }),
    claims: claims?.length ? claims : undefined,
  });
}

/** Devices of `gpuResourceName` per pod, in each form in which they may be written. */
export function gpuCount(spec: AdmittedSpec): number {
  const { gpu, gpuResourceName = '', requests = {}, limits = {} } = spec.resources ?? {};
  const count = gpu ?? own(limits, gpuResourceName) ?? own(requests, gpuResourceName);
  return count === undefined ? 0 : quantityValue(count);
}

/** Devices per pod that a model can be split over. Slices of one device do not add up. */
export function wholeDevices(spec: AdmittedSpec): number {
  return spec.resources?.gpuResourceName.includes('/mig-') ? 0 : gpuCount(spec);
}

/** Whether the pods use an accelerator, of which there may be no spare one. */
export function usesAccelerator(spec: AdmittedSpec): boolean {
  const { requests = {}, limits = {}, claims = [] } = spec.resources ?? {};
  const named = [...Object.entries(requests), ...Object.entries(limits)];
  return (
    gpuCount(spec) > 0 ||
    claims.length > 0 ||
    named.some(([name, value]) => acceleratorName.test(name) && quantityValue(value) > 0)
  );
}

/** The largest amount of memory that the server's container may use, if there is a limit. */
export function memoryLimit(spec: AdmittedSpec): QuantityText | undefined {
  const { memory, limits = {} } = spec.resources ?? {};
  return memory ?? own(limits, 'memory');
}

function texts(quantities: Quantities): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(quantities).map(([name, value]): [string, string] => [name, quantityText(value)]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
