import { isIP } from 'node:net';

/** Whether a host, without brackets, can be reached from this machine, or this pod, alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
