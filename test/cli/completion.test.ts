import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../cli/commands';
import { complete } from '../../cli/commands/completion/complete';
import { answer } from '../../cli/commands/completion/protocol';
import { scripts, shells } from '../../cli/commands/completion/scripts';
import { folderWith, inferno, removeFolders } from './support';

afterEach(removeFolders);

const words = (...line: string[]): readonly string[] => complete(line, commands).candidates.map(({ word }) => word);

test('the first word is completed to a command, or to a flag of the program', () => {
  expect(words('')).toStrictEqual(commands.map(({ name }) => name));
  expect(words('co')).toStrictEqual(['completion']);
  expect(words('--')).toStrictEqual(['--help', '--version']);
  expect(words('help', 'va')).toStrictEqual(['validate']);
});

test('flags are completed, those that are given once are not offered again', () => {
  expect(words('render', '--o')).toStrictEqual(['--output', '--out-dir']);
  expect(words('render', '-n', 'x', '--na')).toStrictEqual([]);
  expect(words('render', '-f', 'x', '--fi')).toStrictEqual(['--filename']);
  expect(words('render', '-o')).toStrictEqual(['-o']);
  expect(words('render', '')).toContain('--filename');
});

test.each([
  [
    ['render', '-o', ''],
    ['yaml', 'json'],
  ],
  [['validate', '-o', 'j'], ['json']],
  [['render', '--unknown-kinds', 're'], ['refuse']],
  [['render', '--unknown-kinds=p'], ['--unknown-kinds=pass']],
  [['completion', 'z'], ['zsh']],
  [['completion', 'zsh', ''], ['--help']],
  [['nonsense', ''], []],
])('%j is completed with %j', (line, expected) => {
  expect(words(...line)).toStrictEqual(expected);
});

test.each([
  [['render', '-f', 'a'], 'file'],
  [['render', '--filename=a'], 'file'],
  [['render', '--out-dir', ''], 'folder'],
  [['render', '-n', ''], 'none'],
  [['render', '-f', '-f', ''], 'none'],
])('%j completes paths: %s', (line, paths) => {
  expect(complete(line, commands).paths).toBe(paths);
});

test('bash hears only what follows an equals sign, and PowerShell marks the end of its words', () => {
  expect(answer(['bash', 'render', '--unknown-kinds', '=', 'p'], commands)).toBe('pass\t\n:none\n');
  expect(answer(['powershell', 'render', '-o', '|'], commands)).toBe('yaml\t\njson\t\n:none\n');
  expect(answer(['zsh', 'render', '--unknown-kinds=p'], commands)).toBe('--unknown-kinds=pass\t\n:none\n');
});

test.each(shells)('completion prints the script for %s', async (shell) => {
  expect(await inferno(['completion', shell])).toStrictEqual({ code: 0, stdout: scripts[shell], stderr: '' });
});

/** A folder with a program `inferno` that answers as this code would, and with files to complete. */
async function shellFolder(lines: readonly string[][]): Promise<string> {
  const folder = folderWith({ 'my service.yaml': '', 'notes.txt': '', 'sub/x': '' });
  for (const [index, line] of lines.entries()) writeFileSync(join(folder, `answer${index}`), answer(line, commands));
  const cases = lines.map(
    (line, index) => `  ${quote(line.join('\u0001'))}) cat ${quote(join(folder, `answer${index}`))} ;;`,
  );
  const program = `#!/bin/sh\nshift\nIFS=$(printf '\\001')\ncase "$*" in\n${cases.join('\n')}\nesac\n`;
  writeFileSync(join(folder, 'inferno'), program);
  chmodSync(join(folder, 'inferno'), 0o755);
  writeFileSync(join(folder, 'script'), scripts.bash);
  return folder;
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

test.each([
  [
    ['render', '--o'],
    ['--output', '--out-dir'],
  ],
  [
    ['render', '-o', ''],
    ['yaml', 'json'],
  ],
  [['render', '--unknown-kinds', '=', 'r'], ['refuse']],
  [['val'], ['validate']],
  [['render', '-f', 'my'], []],
])('a real bash completes %j with %j', async (line, expected) => {
  const folder = await shellFolder([['bash', ...line]]);
  const array = ['inferno', ...line].map(quote).join(' ');
  const text = `source ./script; COMP_WORDS=(${array}); COMP_CWORD=${line.length}; _inferno; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['--norc', '-c', text], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  expect(output.split('\n').filter((word) => word !== '')).toStrictEqual(expected);
});

test('bash falls back to files where the program has no candidate', () => {
  const text = `${scripts.bash}\ncomplete -p inferno`;
  expect(execFileSync('bash', ['--norc', '-c', text], { encoding: 'utf8' })).toBe(
    'complete -o default -F _inferno inferno\n',
  );
});

const hasFish = spawnSync('fish', ['--version']).status === 0;
// Only where fish is installed: its script can be run by nothing else.
(hasFish ? test : test.skip)('a real fish completes values, flags and files', async () => {
  const folder = await shellFolder([
    ['fish', 'render', '-o', ''],
    ['fish', 'render', '--unknown-kinds=p'],
    ['fish', 'render', '-f', 'my'],
  ]);
  writeFileSync(join(folder, 'script'), scripts.fish);
  const ask = (line: string): readonly string[] =>
    execFileSync('fish', ['--no-config', '-c', `source ./script; complete -C ${quote(line)}`], {
      cwd: folder,
      env: { ...process.env, HOME: folder, PATH: `${folder}:${process.env['PATH']}` },
      encoding: 'utf8',
    })
      .split('\n')
      .filter((word) => word !== '')
      // Some releases show a word as it is typed, with its backslash.
      .map((word) => word.replace(/\t.*/, '').replaceAll('\\', ''));
  expect(ask('inferno render -o ')).toStrictEqual(['json', 'yaml']);
  expect(ask('inferno render --unknown-kinds=p')).toStrictEqual(['--unknown-kinds=pass']);
  expect(ask('inferno render -f my')).toStrictEqual(['my service.yaml']);
});

const hasZsh = spawnSync('zsh', ['--version']).status === 0;
// Only where zsh is installed: its script can be run by nothing else.
(hasZsh ? test : test.skip)('a real zsh reads the script and asks the program', async () => {
  const folder = await shellFolder([
    ['zsh', 'render', '-o', ''],
    ['zsh', 'render', '-f', ''],
  ]);
  writeFileSync(join(folder, 'script'), scripts.zsh);
  // The completion functions themselves need a terminal: these stand for them and show what they are given.
  const text = `compdef() { : }; source ./script
_describe() { print -r -- "\${(@P)argv[-1]}" }; _files() { print -r -- "files $*" }
words=(inferno render -o ''); CURRENT=4; _inferno; words=(inferno render -f ''); _inferno`;
  const output = execFileSync('zsh', ['-f', '-c', text], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  expect(output).toBe('yaml json\nfiles -g *.(yaml|yml|json)(-.)\n');
});
