import type { FlagSyntax } from './args';

/** What a parser allows beyond `--flag value` and `--flag=value`. */
export interface FlagRules {
  /** One flag a line: its name, then its aliases and negations. */
  readonly table: string;
  /** `--max_model_len` is `--max-model-len`. */
  readonly underscores?: boolean;
  /** A beginning that fits only one flag stands for it. */
  readonly abbreviations?: boolean;
}

/** The syntax of a command line whose flags are known. The table is read at its first use. */
export function flagSyntax(rules: FlagRules): FlagSyntax {
  let names: ReadonlyMap<string, string> | undefined;
  return {
    flagOf(word) {
      names ??= parseTable(rules.table);
      // vLLM reads --config.key=value as a part of the JSON value of --config.
      const [spelled = ''] = word.split('=', 1);
      const [bare = ''] = spelled.split('.', 1);
      const name = rules.underscores && bare.startsWith('--') ? bare.replaceAll('_', '-') : bare;
      // A short flag may have its value right behind it: -O3.
      const exact = names.get(name) ?? (name.startsWith('--') ? undefined : names.get(name.slice(0, 2)));
      if (exact !== undefined || !rules.abbreviations || name.length < 2 || name === '--') return exact;
      const candidates = new Set<string>();
      for (const [known, flag] of names) if (known.startsWith(name)) candidates.add(flag);
      return candidates.size === 1 ? [...candidates][0] : undefined;
    },
  };
}

/** The syntax of a server about whose flags nothing is known. */
export const unknownSyntax: FlagSyntax = { flagOf: () => undefined };

function parseTable(table: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const line of table.trim().split('\n')) {
    const [flag = '', ...others] = line.trim().split(' ');
    for (const name of [flag, ...others]) names.set(name, flag);
  }
  return names;
}
