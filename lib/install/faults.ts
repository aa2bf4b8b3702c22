import type { ResourceRequirements } from '../../imports/k8s';
import { Quantity } from '../composition/quantity';
import { labelValueFault, qualifiedNameFault } from '../composition/schema/names';

/** What the API server would say against labels, of an object or to look for; undefined if nothing. */
export function labelsFault(labels: Readonly<Record<string, string>>): string | undefined {
  for (const [key, value] of Object.entries(labels)) {
    const ofKey = qualifiedNameFault(key);
    if (ofKey !== undefined) return `must have as key ${ofKey}, got ${JSON.stringify(key)}`;
    const ofValue = labelValueFault(value);
    if (ofValue !== undefined) return `must have as value of ${key} what is ${ofValue}, got ${JSON.stringify(value)}`;
  }
  return undefined;
}

/** What is wrong with the amounts of a container, and in which of its two lists. */
export interface ResourcesFault {
  readonly list: 'requests' | 'limits';
  readonly fault: string;
}

/** What the API server would say against the amounts of a container; undefined if nothing. */
export function resourcesFault({ requests = {}, limits = {} }: ResourceRequirements): ResourcesFault | undefined {
  for (const [list, amounts] of [['requests', requests] as const, ['limits', limits] as const]) {
    for (const [name, amount] of Object.entries(amounts)) {
      const quantity = Quantity.parse(String(amount));
      if (quantity === undefined || quantity.sign() < 0) {
        return {
          list,
          fault: `must have for ${name} an amount such as 500m, 2 or 16Gi, got ${JSON.stringify(amount)}`,
        };
      }
      const limit = list === 'requests' ? limits[name] : undefined;
      if (limit !== undefined && (Quantity.parse(String(limit))?.compareTo(quantity) ?? 0) < 0) {
        const fault = `must have for ${name} no more than its limit ${JSON.stringify(limit)}, got ${JSON.stringify(amount)}`;
        return { list, fault };
      }
    }
  }
  return undefined;
}
