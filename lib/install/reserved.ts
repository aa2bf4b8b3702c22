const fixed = 'other objects of the installation rely on it';
/** Flags of the operator that are given already, or that the permissions depend on, and why. */
const reserved: Readonly<Record<string, string>> = {
  '--namespace': 'it is watchNamespaces',
  '-n': 'it is watchNamespaces',
  '--log-level': 'it is logLevel',
  '--zap-log-level': 'it is logLevel',
  '--leader-elect': fixed,
  '--leader-election-id': fixed,
  '--leader-election-namespace': fixed,
  '--metrics-bind-address': fixed,
  '--health-probe-bind-address': fixed,
};

interface Reserved {
  readonly name: string;
  readonly why: string;
}

/** Flags of `inferno operator` that `args` has to leave alone. */
export const RESERVED_FLAGS: readonly string[] = Object.keys(reserved);

/** The environment variables that say the same as these flags: `env` has to leave them alone too. */
export const RESERVED_VARIABLES: readonly string[] = RESERVED_FLAGS.filter((flag) => flag.startsWith('--')).map(
  (flag) => `INFERNO_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`,
);

/** The flag that an argument gives, if it has to be left alone. A value may be part of the argument: `-nteam`. */
export function reservedFlagOf(arg: string): Reserved | undefined {
  const name = RESERVED_FLAGS.find((flag) => arg === flag || arg.startsWith(flag.startsWith('--') ? `${flag}=` : flag));
  return name === undefined ? undefined : { name, why: reserved[name] ?? fixed };
}

/** The variable, if it has to be left alone. */
export function reservedVariableOf(name: string): Reserved | undefined {
  const index = RESERVED_VARIABLES.indexOf(name);
  const flag = RESERVED_FLAGS.filter((each) => each.startsWith('--'))[index];
  return flag === undefined ? undefined : { name, why: reserved[flag] ?? fixed };
}
