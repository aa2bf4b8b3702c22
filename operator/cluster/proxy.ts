import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../lib/settings/address';

/** The variables that say how to reach other networks. */
export interface ProxyEnvironment {
  readonly [name: string]: string | undefined;
}

/**
 * The proxy by which the environment wants an address to be reached, as Go programs read it: HTTPS_PROXY, and NO_PROXY
 * with names, subdomains, addresses, CIDR ranges, ports and `*`. Loopback is never reached through a proxy. Pure.
 */
export function proxyFor(url: URL, env: ProxyEnvironment): string | undefined {
  const proxy = variable(env, 'HTTPS_PROXY');
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (proxy === undefined || isLoopback(host)) return undefined;
  const port = url.port === '' ? '443' : url.port;
  const exceptions = (variable(env, 'NO_PROXY') ?? '').split(',').map((entry) => entry.trim().toLowerCase());
  return exceptions.some((entry) => entry !== '' && excepts(entry, host, port)) ? undefined : proxy;
}

function variable(env: ProxyEnvironment, name: string): string | undefined {
  const value = env[name] ?? env[name.toLowerCase()];
  return value === '' ? undefined : value;
}

function excepts(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const slash = entry.indexOf('/');
  if (slash > 0) return inRange(host, entry.slice(0, slash), Number(entry.slice(slash + 1)));
  if (isIP(entry) > 0) return entry === host;
  const [, name = '', onlyPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(host) > 0) return name === host;
  const suffix = name.replace(/^\*?\./, '');
  return host.endsWith(`.${suffix}`) || (suffix === name && host === name);
}

function inRange(host: string, network: string, prefix: number): boolean {
  const [family, of] = [isIP(host), isIP(network)];
  if (family === 0 || family !== of || !Number.isInteger(prefix) || prefix < 0 || prefix > (of === 4 ? 32 : 128)) {
    return false;
  }
  const type = of === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(network, prefix, type);
  return range.check(host, type);
}
