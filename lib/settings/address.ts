import { isIP } from 'node:net';

/** Where a server listens. */
export interface BindAddress {
  /** @default all addresses, as in a pod */
  readonly host: string | undefined;
  readonly port: number;
}

/**
 * Parses an address as Go operators write it: `:8081`, `0` (which is off), `127.0.0.1:8081`, `[::1]:8081`. Undefined for
 * anything else.
 */
export function parseBindAddress(given: string): BindAddress | 'off' | undefined {
  if (given === '0') return 'off';
  const [, ip, name = '', digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(given) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return undefined;
  const host = ip ?? name;
  return { host: host === '' ? undefined : host, port };
}

/** Whether a host, without brackets, can be reached only from this machine, or this pod. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
