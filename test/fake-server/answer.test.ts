import { answer, countTokens } from '../../fake-server/answer';

const limits = { naturalTokens: 8, maxTokens: 100, ignoreEnd: false, stop: [] };

test('the same prompt always gets the same answer', () => {
  // Written down, as it must be the same in every process and release, not only in two calls of one.
  expect(answer('What is the answer?', limits).tokens.join('')).toMatchInlineSnapshot(
    `"can that mean bellows ash but for mean"`,
  );
  expect(answer('What is the answer?', limits)).toEqual(answer('What is the answer?', limits));
});

test('different prompts get different answers', () => {
  const texts = Array.from({ length: 200 }, (_, index) => answer(`prompt ${index}`, limits).tokens.join(''));
  expect(new Set(texts).size).toBe(200);
});

test('an answer ends by itself with stop, at max_tokens with length', () => {
  expect(answer('p', limits)).toMatchObject({ finishReason: 'stop', tokens: { length: 8 } });
  expect(answer('p', { ...limits, maxTokens: 8 })).toMatchObject({ finishReason: 'stop', tokens: { length: 8 } });
  expect(answer('p', { ...limits, maxTokens: 7 })).toMatchObject({ finishReason: 'length', tokens: { length: 7 } });
});

test('ignoring the end goes on to max_tokens', () => {
  const long = answer('p', { ...limits, ignoreEnd: true });
  expect(long).toMatchObject({ finishReason: 'length', tokens: { length: 100 } });
  expect(long.tokens.slice(0, 8)).toEqual(answer('p', limits).tokens);
});

test('an answer ends before the first stop text, even inside a token and across two', () => {
  const { tokens } = answer('p', limits);
  const text = tokens.join('');
  const inside = text.slice(9, 11);
  const cut = answer('p', { ...limits, stop: ['nowhere to be found', inside] });
  expect(cut.tokens.join('')).toBe(text.slice(0, text.indexOf(inside)));
  expect(cut.finishReason).toBe('stop');
  const across = `${tokens[2]?.slice(-1)}${tokens[3]?.slice(0, 3)}`;
  expect(answer('p', { ...limits, stop: [across] }).tokens.join('')).toBe(text.slice(0, text.indexOf(across)));
  expect(answer('p', { ...limits, stop: [text.slice(0, 2)] })).toEqual({ tokens: [], finishReason: 'stop' });
});

test('tokens are words', () => {
  expect(countTokens('')).toBe(0);
  expect(countTokens('  one two\n\tthree ')).toBe(3);
});
