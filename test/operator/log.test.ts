import { errorText, jsonLogger, nowAndThen } from '../../operator/report/log';
import { FakeClock } from './fake-clock';

function logger(level: 'error' | 'info' | 'debug') {
  const lines: string[] = [];
  const log = jsonLogger(
    level,
    (line) => lines.push(line),
    () => new Date(0),
  );
  return { lines, log };
}

test('a line is one JSON object with a constant message and the facts as fields', () => {
  const { lines, log } = logger('info');
  log.with({ controller: 'x' }).info('Applied children', { name: 'a\nb', created: ['Service/a'] });
  expect(lines).toEqual([
    '{"level":"info","ts":"1970-01-01T00:00:00.000Z","msg":"Applied children","controller":"x","name":"a\\nb","created":["Service/a"]}\n',
  ]);
});

test('a level leaves out what is more talkative', () => {
  for (const [level, count] of [
    ['error', 1],
    ['info', 2],
    ['debug', 3],
  ] as const) {
    const { lines, log } = logger(level);
    log.debug('a');
    log.info('b');
    log.error('c', new Error('d'));
    expect(lines).toHaveLength(count);
  }
});

test('an error is reported with its causes', () => {
  const error = new Error('no list', { cause: new Error('no connection', { cause: 'reset' }) });
  expect(errorText(error)).toBe('no list: no connection: reset');
  expect(errorText('text')).toBe('text');
});

test('what comes in crowds is reported at info now and then, with the number of those left out, and all of it at debug', async () => {
  const { lines, log } = logger('debug');
  const clock = new FakeClock();
  const tell = nowAndThen(log, clock, 1000);
  for (let n = 0; n < 3; n += 1) tell('Lost', { n });
  await clock.advance(1000);
  for (let n = 3; n < 5; n += 1) tell('Lost', { n });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', n: 0 },
    { level: 'debug', n: 1 },
    { level: 'debug', n: 2 },
    { level: 'info', n: 3, others: 2 },
    { level: 'debug', n: 4 },
  ]);
  expect(JSON.parse(lines[0] ?? '')).not.toHaveProperty('others');
});
