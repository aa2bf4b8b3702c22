import { flag, mergeArguments, positional, userValue } from '../../lib/inference/pod/args';
import { engines } from '../../lib/inference/engines';
import { vllmFlags } from '../../lib/inference/engines/vllm-flags';
import { random } from './support';

const { syntax } = engines.vllm;
const generated = [
  positional('org/model'),
  flag('--port', 8000),
  flag('--load-format', 'runai_streamer'),
  flag('--tensor-parallel-size', 4, ['--pipeline-parallel-size']),
];
const all = ['org/model', '--port=8000', '--load-format=runai_streamer', '--tensor-parallel-size=4'];
const without = (...texts: string[]) => all.filter((text) => !texts.includes(text));

test.each([
  ['nothing', [], all],
  ['another flag', ['--max-model-len', '4096'], all],
  ['a value behind an equals sign', ['--load-format=auto'], without('--load-format=runai_streamer')],
  ['a value in the next word', ['--load-format', 'auto'], without('--load-format=runai_streamer')],
  ['underscores', ['--load_format=auto'], without('--load-format=runai_streamer')],
  ['a short alias', ['-tp', '2'], without('--tensor-parallel-size=4')],
  ['a short alias behind an equals sign', ['-tp=2'], without('--tensor-parallel-size=4')],
  ['a unique beginning', ['--tensor=2'], without('--tensor-parallel-size=4')],
  ['a beginning with underscores', ['--load_f', 'auto'], without('--load-format=runai_streamer')],
  ['a flag that makes it wrong', ['-pp', '2'], without('--tensor-parallel-size=4')],
  ['an ambiguous beginning', ['--po=1'], all],
  ['a flag of which it is the beginning', ['--port-range=1'], all],
  ['the flag as a word behind --', ['--', '--load-format=auto'], all],
  ['a negative number', ['--seed', '-1'], all],
])('the user gives %s', (_what, user, kept) => {
  expect(mergeArguments(generated, user, syntax).args).toEqual([...kept, ...user]);
});

test('a negation takes the place of the flag', () => {
  const own = [flag('--enable-prefix-caching', 'true')];
  for (const word of ['--no-enable-prefix-caching', '--no_enable_prefix_caching', '--disable-prefix-caching']) {
    expect(mergeArguments(own, [word], syntax)).toEqual({
      args: [word],
      replaced: [{ generated: '--enable-prefix-caching=true', by: word }],
    });
  }
});

test('a flag with several values keeps all of them', () => {
  const user = ['--lora-modules', 'a=/a', 'b=/b', '--port', '1', '--api-key', 'k1', 'k2'];
  expect(mergeArguments(generated, user, syntax).args.slice(-user.length)).toEqual(user);
});

test('each flag of vLLM, however it is spelled, replaces itself and nothing else', () => {
  const flags = vllmFlags
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const own = flags.map(([name = '']) => flag(name, 'x'));
  for (const [name = '', ...others] of flags) {
    for (const spelling of [name, ...others].flatMap((n) => [
      n,
      `${n}=v`,
      n.replaceAll('-', '_').replace(/^_+/, (d) => '-'.repeat(d.length)),
    ])) {
      const { replaced } = mergeArguments(own, [spelling], syntax);
      // Underscores belong only to long flags.
      if (!spelling.startsWith('--') && spelling.includes('_')) continue;
      expect([spelling, replaced]).toEqual([spelling, [{ generated: `${name}=x`, by: spelling }]]);
    }
  }
});

test('for random command lines the user words stay in order at the end and no generated flag is given twice', () => {
  const seed = 20261130;
  const next = random(seed);
  const names = vllmFlags.trim().split(/\s+/);
  const pick = (list: readonly string[]): string => list[Math.floor(next() * list.length)] ?? '';
  for (let round = 0; round < 2000; round += 1) {
    const own = Array.from({ length: 5 }, () => flag(pick(vllmFlags.trim().split('\n')).split(' ')[0] ?? '', 'g'));
    const user = Array.from({ length: Math.floor(next() * 6) }, () =>
      pick([pick(names), `${pick(names)}=v`, 'value', '-1', '0.5', 'a=b', '']),
    );
    const { args, replaced } = mergeArguments(own, user, syntax);
    expect(args.slice(args.length - user.length)).toEqual(user);
    expect(args.length - user.length + replaced.length).toBe(own.length);
    const given = new Set(user.filter((w) => w.startsWith('--')).map((w) => syntax.flagOf(w)));
    for (const kept of args.slice(0, args.length - user.length)) expect(given.has(syntax.flagOf(kept))).toBe(false);
  }
});

test('the value that counts is the last one', () => {
  expect(userValue(['--max-num-seqs', '8', '--max_num_seqs=16'], '--max-num-seqs', syntax)).toBe('16');
  expect(userValue(['--max-num-seqs=16', '--max-num-seqs', '8'], '--max-num-seqs', syntax)).toBe('8');
  expect(userValue(['--port=1'], '--max-num-seqs', syntax)).toBeUndefined();
});

test('the two names of Triton’s model repository are one flag', () => {
  const own = [flag('--model-repository', '/mnt/models')];
  expect(mergeArguments(own, ['--model-store=/m'], engines.triton.syntax).args).toEqual(['--model-store=/m']);
});
