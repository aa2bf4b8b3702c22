import { Quantity } from '../composition/quantity';

/** A Kubernetes quantity as a user may write it. */
export type QuantityText = string | number;

const binaryUnits = [
  ['Ei', 2 ** 60],
  ['Pi', 2 ** 50],
  ['Ti', 2 ** 40],
  ['Gi', 2 ** 30],
  ['Mi', 2 ** 20],
  ['Ki', 2 ** 10],
] as const;

/**
 * The value of a quantity, as exact as a double is: enough to compare sizes and to count devices.
 *
 * @throws if the text is not a quantity, which validation has ruled out
 */
export function quantityValue(quantity: QuantityText): number {
  const parsed = Quantity.parse(quantityText(quantity));
  if (!parsed) throw new Error(`"${quantity}" is not a quantity; expected such as 500m, 2 or 16Gi`);
  return parsed.asApproximateFloat();
}

/** A quantity in the user's own words, as text. */
export function quantityText(quantity: QuantityText): string {
  return String(quantity);
}

/** A number of bytes as the quantity that Kubernetes itself would write. */
export function bytes(value: number): string {
  const whole = Math.max(1, Math.floor(value));
  const unit = binaryUnits.find(([, factor]) => whole % factor === 0);
  return unit ? `${whole / unit[1]}${unit[0]}` : `${whole}`;
}
