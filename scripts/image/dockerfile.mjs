// Reads the Dockerfile as far as this project uses Dockerfiles, and refuses everything else: what is read wrong here
// would let the image differ from what the tests have checked.

/**
 * @typedef {{ readonly name: string, readonly value: string }} Pair
 * @typedef {{ readonly from: string | undefined, readonly sources: readonly string[], readonly target: string }} Copy
 * @typedef {{
 *   readonly name: string | undefined, readonly base: string, readonly platform: string | undefined,
 *   readonly copies: readonly Copy[], readonly runs: readonly string[],
 *   readonly env: readonly Pair[], readonly labels: readonly Pair[], readonly ports: readonly string[],
 *   readonly user: string | undefined, readonly workingDir: string | undefined,
 *   readonly entrypoint: readonly string[], readonly command: readonly string[],
 * }} Stage
 */

/** What each instruction does to the stage that it stands in. */
const instructions = {
  COPY: (stage, text) => ({ ...stage, copies: [...stage.copies, copy(text)] }),
  RUN: (stage, text) => ({ ...stage, runs: [...stage.runs, text] }),
  ENV: (stage, text) => ({ ...stage, env: merged(stage.env, pairs('ENV', text)) }),
  LABEL: (stage, text) => ({ ...stage, labels: merged(stage.labels, pairs('LABEL', text)) }),
  EXPOSE: (stage, text) => ({ ...stage, ports: [...stage.ports, ...text.split(/\s+/).map(port)] }),
  USER: (stage, text) => ({ ...stage, user: literal('USER', text, /^\d+:\d+$/, 'a numeric UID:GID') }),
  WORKDIR: (stage, text) => ({ ...stage, workingDir: literal('WORKDIR', text, /^\/\S*$/, 'an absolute path') }),
  ENTRYPOINT: (stage, text) => ({ ...stage, entrypoint: list('ENTRYPOINT', text) }),
  CMD: (stage, text) => ({ ...stage, command: list('CMD', text) }),
};

/**
 * The stages of a Dockerfile, in their order.
 * @param {string} text
 * @returns {readonly Stage[]}
 * @throws Error that names the line with what is not known
 */
export function parseDockerfile(text) {
  /** @type {Stage[]} */
  const stages = [];
  for (const { number, line } of logicalLines(text)) {
    try {
      const [, name, rest] = /^([A-Za-z]+)\s+(.+)$/s.exec(line) ?? [];
      if (name === undefined) throw new Error(`is not an instruction: ${line}`);
      if (/<<-?["']?\w/.test(rest)) throw new Error('heredocs are not known here');
      if (name === 'FROM') {
        stages.push(from(rest, stages));
        continue;
      }
      const apply = Object.hasOwn(instructions, name) ? instructions[name] : undefined;
      const stage = stages.pop();
      if (apply === undefined) {
        throw new Error(`${name} is not known here, only FROM, ${Object.keys(instructions).join(', ')}`);
      }
      if (stage === undefined) throw new Error(`${name} stands before the first FROM`);
      const changed = apply(stage, rest);
      const unknown = changed.copies.find(({ from: of }) => of !== undefined && !stages.some((s) => s.name === of));
      if (unknown !== undefined) throw new Error(`no earlier stage is called ${unknown.from}`);
      stages.push(changed);
    } catch (error) {
      throw new Error(`Dockerfile:${number}: ${error.message}`, { cause: error });
    }
  }
  if (stages.length === 0) throw new Error('Dockerfile: has no FROM');
  return stages;
}

/** Lines without comments, those that end in a backslash joined with what follows. */
function logicalLines(text) {
  const lines = [];
  let open;
  for (const [index, raw] of text.split('\n').entries()) {
    if (index === 0 && /^#\s*\w+\s*=/.test(raw)) {
      throw new Error(`Dockerfile:1: parser directives are not known here: ${raw}`);
    }
    if (/^\s*(#|$)/.test(raw)) continue;
    const more = /\\\s*$/.test(raw);
    const part = raw.replace(/\\\s*$/, '').trim();
    open = open === undefined ? { number: index + 1, line: part } : { ...open, line: `${open.line} ${part}` };
    if (!more) {
      lines.push(open);
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`Dockerfile:${open.number}: ends in a backslash`);
  return lines;
}

/** @returns {Stage} */
function from(text, stages) {
  const found = /^(?:--platform=(?<platform>\S+)\s+)?(?<base>[^\s$-]\S*)(?:\s+AS\s+(?<name>[a-z][a-z0-9-]*))?$/.exec(
    text,
  );
  if (found?.groups === undefined) throw new Error(`FROM: expected [--platform=P] IMAGE [AS name], got ${text}`);
  const { platform, base, name } = found.groups;
  if (stages.some((stage) => stage.name === base))
    throw new Error(`FROM: a stage on another one, ${base}, is not known here`);
  if (name !== undefined && stages.some((stage) => stage.name === name))
    throw new Error(`FROM: ${name} is there twice`);
  return {
    ...{ name, base, platform, copies: [], runs: [], env: [], labels: [], ports: [] },
    ...{ user: undefined, workingDir: undefined, entrypoint: [], command: [] },
  };
}

/** @returns {Copy} */
function copy(text) {
  const words = text.split(/\s+/);
  const flags = words.filter((word) => word.startsWith('--'));
  const paths = words.filter((word) => !word.startsWith('--'));
  const other = flags.find((flag) => !/^--from=[a-z]/.test(flag));
  if (other !== undefined || flags.length > 1)
    throw new Error(`COPY: only --from=STAGE is known here, got ${flags.join(' ')}`);
  const odd = paths.find((path) => /[*?[\]"'$\\]/.test(path));
  if (odd !== undefined) throw new Error(`COPY: patterns, quotes and variables are not known here, got ${odd}`);
  const sources = paths.slice(0, -1);
  const target = paths.at(-1);
  if (sources.length === 0) throw new Error(`COPY: expected SOURCE… TARGET, got ${text}`);
  if (sources.length > 1 && !target.endsWith('/'))
    throw new Error(`COPY: the target of several files must end in /, got ${target}`);
  return { from: flags[0]?.slice('--from='.length), sources, target };
}

/** `A=b C="d e"`. @returns {readonly Pair[]} */
function pairs(instruction, text) {
  const all = [];
  let rest = text;
  while (rest !== '') {
    const found = /^([\w.]+)=(?:"([^"$\\]*)"|([^\s"'$\\]*))(?:\s+|$)/.exec(rest);
    if (found === null)
      throw new Error(`${instruction}: expected NAME=VALUE or NAME="VALUE" without variables, got ${rest}`);
    all.push({ name: found[1], value: found[2] ?? found[3] });
    rest = rest.slice(found[0].length);
  }
  return all;
}

function merged(before, added) {
  const twice = added.find(({ name }, index) =>
    [...before, ...added.slice(0, index)].some((pair) => pair.name === name),
  );
  if (twice !== undefined) throw new Error(`${twice.name} is set twice`);
  return [...before, ...added];
}

function port(text) {
  return literal('EXPOSE', text, /^\d{1,5}(\/(tcp|udp))?$/, 'a port');
}

function literal(instruction, text, pattern, expected) {
  if (!pattern.test(text)) throw new Error(`${instruction}: expected ${expected}, got ${text}`);
  return text;
}

/** The form that starts the program itself, without a shell between. @returns {readonly string[]} */
function list(instruction, text) {
  let words;
  try {
    words = JSON.parse(text);
  } catch {
    // said below
  }
  if (!Array.isArray(words) || words.length === 0 || words.some((word) => typeof word !== 'string')) {
    throw new Error(
      `${instruction}: expected a JSON list of strings, as a shell would be process 1 otherwise, got ${text}`,
    );
  }
  return words;
}
