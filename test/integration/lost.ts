import { Quantity } from '../../lib/composition/quantity';

/** Fields whose values are quantities, which the API server writes in its own notation. */
const QUANTITY = /\.(requests|limits|capacity)(\["[^"]+"\]|\.[^.[]+)$|\.(sizeLimit|averageValue|divisor)$/;

/** Fields that the API server leaves out where they hold what their absence means. */
const OMITTED: readonly { readonly path: RegExp; readonly value: unknown }[] = [
  { path: /\.env\[\d+\]\.value$/, value: '' },
  { path: /\.volumeMounts\[\d+\]\.readOnly$/, value: false },
  { path: /\.persistentVolumeClaim\.readOnly$/, value: false },
];

/**
 * What of `rendered` is not in `live`: one sentence for each value, none where everything is there. Lists must be of the
 * same length; objects may have more fields than were rendered, as the server fills in defaults.
 */
export function lost(rendered: unknown, live: unknown, path = ''): readonly string[] {
  if (Array.isArray(rendered)) {
    if (!Array.isArray(live) || live.length !== rendered.length) return [difference(path, rendered, live)];
    return rendered.flatMap((item, index) => lost(item, live[index], `${path}[${index}]`));
  }
  if (isObject(rendered)) {
    if (!isObject(live)) return [difference(path, rendered, live)];
    return Object.entries(rendered).flatMap(([key, value]) => lost(value, live[key], `${path}${step(key)}`));
  }
  if (Object.is(rendered, live)) return [];
  if (QUANTITY.test(path) && sameQuantity(rendered, live)) return [];
  if (live === undefined && OMITTED.some((field) => field.path.test(path) && field.value === rendered)) return [];
  return [difference(path, rendered, live)];
}

function sameQuantity(a: unknown, b: unknown): boolean {
  if (!isScalar(a) || !isScalar(b)) return false;
  const [left, right] = [Quantity.parse(String(a)), Quantity.parse(String(b))];
  return left !== undefined && right !== undefined && left.equals(right);
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function step(key: string): string {
  return /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function difference(path: string, rendered: unknown, live: unknown): string {
  return `${path} was rendered as ${JSON.stringify(rendered)} and is ${JSON.stringify(live)}`;
}
