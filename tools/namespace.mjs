// @ts-check
// A network namespace of its own for a cluster: its parts and its pods have addresses there, and nothing leaves it.
import { spawnSync } from 'node:child_process';

const needs = `in a network namespace of its own, which takes
  - Linux
  - unshare and setpriv (package util-linux) and ip (package iproute2)
  - root, or user namespaces for everybody (sysctl user.max_user_namespaces above 0 and, where it is there,
    kernel.apparmor_restrict_unprivileged_userns=0; in a container: --privileged)`;

// the namespace goes with its last process; the death signal ends that one with the process that started it, even by SIGKILL
const enter = 'ip link set lo up && exec setpriv --pdeathsig KILL -- "$@"';

/**
 * How a command is run as root of a fresh network namespace in which only loopback is up.
 *
 * @param {string} file
 * @param {readonly string[]} args
 */
export function inNamespace(file, args, uid = process.getuid?.()) {
  // a user namespace makes root of anybody; who is root needs none, and keeps the right to become other users
  return { file: 'unshare', args: [uid === 0 ? '-n' : '-rn', '--', 'sh', '-c', enter, 'sh', file, ...args] };
}

/**
 * Why no namespace can be had here, and what it takes; undefined where one can be had.
 *
 * @param {{ who?: string, platform?: string, env?: NodeJS.ProcessEnv }} options `who` begins the sentence about it
 */
export function namespaceRefusal({ who = 'it runs', platform = process.platform, env = process.env } = {}) {
  if (platform !== 'linux') {
    return `this is ${platform}; ${who} ${needs}`;
  }
  const { file, args } = inNamespace('true', []);
  const { status, signal, stderr, error } = spawnSync(file, args, { env, encoding: 'utf8', timeout: 20_000 });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    return `there is no unshare on the PATH; ${who} ${needs}`;
  }
  if (status === 0) {
    return undefined;
  }
  const said = stderr?.trim() || error?.message || `it ended with ${signal ?? `exit code ${status}`}`;
  return `${file} ${args[0]} was refused (${said}); ${who} ${needs}`;
}
