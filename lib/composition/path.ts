const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** The path of a map's member: `spec.replicas`, or `metadata.labels["a.b/c"]` where the key is no plain word. */
export function memberPath(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) {
    return `${path}[${JSON.stringify(key)}]`;
  }
  return path === '' ? key : `${path}.${key}`;
}

/** The path of a list's element: `spec.env[0]`. */
export function elementPath(path: string, index: number): string {
  return `${path}[${index}]`;
}
