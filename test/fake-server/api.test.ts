import { call, chat, events, streamedText, withServer } from './client';

const options = { modelName: 'fake', modelUri: 'hf://org/fake', modelVersion: 'v3', answerTokens: 6 };

test('health, ping, version and load answer as vLLM does', () =>
  withServer(options, async (port) => {
    expect(await call({ port, path: '/health' })).toMatchObject({ status: 200, text: '' });
    expect(await call({ port, path: '/health?verbose=1' })).toMatchObject({ status: 200 });
    expect(await call({ port, path: '/ping' })).toMatchObject({ status: 200 });
    expect(await call({ port, path: '/ping', method: 'POST' })).toMatchObject({ status: 200 });
    expect(JSON.parse((await call({ port, path: '/version' })).text)).toEqual({ version: 'v3', model: 'fake' });
    expect(JSON.parse((await call({ port, path: '/load' })).text)).toEqual({ server_load: 0 });
  }));

test('HEAD gets the head of GET and no body', () =>
  withServer(options, async (port) => {
    const answer = await call({ port, path: '/v1/models', method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, text: '', headers: { 'content-type': 'application/json' } });
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
  }));

test('the list of models holds the one model', () =>
  withServer(options, async (port) => {
    const list = JSON.parse((await call({ port, path: '/v1/models' })).text) as { data: readonly object[] };
    expect(list).toEqual({
      object: 'list',
      data: [
        {
          id: 'fake',
          object: 'model',
          created: expect.any(Number),
          owned_by: 'inferno',
          root: 'hf://org/fake',
          parent: null,
          max_model_len: 32768,
        },
      ],
    });
    expect(JSON.parse((await call({ port, path: '/v1/models/fake' })).text)).toEqual(list.data[0]);
    expect(await call({ port, path: '/v1/models/other' })).toMatchObject({ status: 404 });
  }));

test('a model with slashes in its name is found with and without percent encoding', () =>
  withServer({ modelName: 'org/My Model' }, async (port) => {
    expect(await call({ port, path: '/v1/models/org%2FMy%20Model' })).toMatchObject({ status: 200 });
    expect(await call({ port, path: '/v1/models/%E0%A4%A' })).toMatchObject({ status: 404 });
  }));

test('a chat completion has every field that clients read', () =>
  withServer(options, async (port) => {
    const before = Math.floor(Date.now() / 1000);
    const answer = await call({ port, path: '/v1/chat/completions', body: chat() });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    const body = JSON.parse(answer.text) as { created: number };
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f-]{36}$/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'fake',
      system_fingerprint: 'v3',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringMatching(/^\w+( \w+){5}$/), refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
    });
    expect(body.created).toBeGreaterThanOrEqual(before);
  }));

test('a completion has every field that clients read, and 16 tokens at the most unless told otherwise', () =>
  withServer({ ...options, answerTokens: 50 }, async (port) => {
    const { text } = await call({ port, path: '/v1/completions', body: { model: 'fake', prompt: 'Once upon a time' } });
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      created: expect.any(Number),
      model: 'fake',
      system_fingerprint: 'v3',
      choices: [{ index: 0, text: expect.stringMatching(/^\w+( \w+){15}$/), logprobs: null, finish_reason: 'length' }],
      usage: { prompt_tokens: 4, completion_tokens: 16, total_tokens: 20 },
    });
  }));

test('a streamed chat is the same text in events, closed by [DONE]', () =>
  withServer(options, async (port) => {
    const whole = JSON.parse((await call({ port, path: '/v1/chat/completions', body: chat() })).text) as {
      choices: readonly { message: { content: string } }[];
    };
    const answer = await call({ port, path: '/v1/chat/completions', body: chat({ stream: true }) });
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
    const list = events(answer.text);
    expect(list.map(({ choices: [choice] }) => choice?.delta?.role)).toEqual([
      'assistant',
      ...Array(7).fill(undefined),
    ]);
    expect(list.map(({ choices: [choice] }) => choice?.finish_reason)).toEqual([...Array(7).fill(null), 'stop']);
    expect(
      new Set(list.map(({ id, object, created, model }) => JSON.stringify([id, object, created, model]))).size,
    ).toBe(1);
    expect(list[0]).toMatchObject({ object: 'chat.completion.chunk', model: 'fake', system_fingerprint: 'v3' });
    expect(list.some((event) => 'usage' in event)).toBe(false);
    expect(streamedText(list)).toBe(whole.choices[0]?.message.content);
  }));

test('a streamed completion carries text instead of deltas', () =>
  withServer(options, async (port) => {
    const { text } = await call({ port, path: '/v1/completions', body: { model: 'fake', prompt: 'a', stream: true } });
    const list = events(text);
    expect(list).toHaveLength(7);
    expect(list[0]).toMatchObject({ object: 'text_completion', choices: [{ text: expect.any(String) }] });
    expect(list.at(-1)).toMatchObject({ choices: [{ text: '', finish_reason: 'stop' }] });
  }));

test('include_usage adds one last event with the tokens', () =>
  withServer(options, async (port) => {
    const body = chat({ stream: true, stream_options: { include_usage: true }, max_tokens: 2 });
    const list = events((await call({ port, path: '/v1/chat/completions', body })).text);
    expect(list.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    });
    expect(list.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(list.at(-2)).toMatchObject({ choices: [{ finish_reason: 'length' }] });
  }));

test('an answer that stops before its first token still says who speaks', () =>
  withServer(options, async (port) => {
    const first = (await call({ port, path: '/v1/chat/completions', body: chat({ max_tokens: 1 }) })).text;
    const { content } = (JSON.parse(first) as { choices: readonly [{ message: { content: string } }] }).choices[0]
      .message;
    const none = await call({ port, path: '/v1/chat/completions', body: chat({ stream: true, stop: content }) });
    expect(events(none.text).map(({ choices }) => choices[0]?.delta)).toEqual([{ role: 'assistant', content: '' }, {}]);
  }));

test('the answer depends on the prompt, not on the form that the content has', () =>
  withServer(options, async (port) => {
    const text = async (content: unknown): Promise<string> => {
      const body = chat({ messages: [{ role: 'user', content }] });
      const answer = JSON.parse((await call({ port, path: '/v1/chat/completions', body })).text) as {
        choices: readonly [{ message: { content: string } }];
      };
      return answer.choices[0].message.content;
    };
    const parts = [
      { type: 'text', text: 'say it' },
      { type: 'image_url', image_url: { url: 'data:' } },
    ];
    expect(await text(parts)).toBe(await text('say it'));
    expect(await text('say that')).not.toBe(await text('say it'));
  }));

test('null counts as not given, and unknown parameters are passed over', () =>
  withServer(options, async (port) => {
    const body = chat({ max_tokens: null, stop: null, stream: null, n: null, temperature: null, tools: [], user: 'u' });
    expect(await call({ port, path: '/v1/chat/completions', body })).toMatchObject({ status: 200 });
  }));

const messages = (message: unknown): object => chat({ messages: [message] });

test.each<[string, string, string | object, number, string | null, string | null]>([
  ['no JSON', 'chat/completions', '{"model":', 400, null, 'invalid_json'],
  ['a list', 'chat/completions', '[]', 400, null, null],
  ['null', 'completions', 'null', 400, null, null],
  ['an empty body', 'completions', '', 400, null, 'invalid_json'],
  ['no model', 'chat/completions', { messages: [] }, 400, 'model', 'missing_required_parameter'],
  ['a model of the wrong type', 'completions', { model: 7, prompt: 'a' }, 400, 'model', 'invalid_type'],
  ['an unknown model', 'completions', { model: 'gpt', prompt: 'a' }, 404, 'model', 'model_not_found'],
  ['__proto__ as model', 'completions', '{"__proto__":{"model":"fake"}}', 400, 'model', 'missing_required_parameter'],
  ['no prompt', 'completions', { model: 'fake' }, 400, 'prompt', 'missing_required_parameter'],
  ['a number as prompt', 'completions', { model: 'fake', prompt: 1 }, 400, 'prompt', 'invalid_type'],
  ['two prompts', 'completions', { model: 'fake', prompt: ['a', 'b'] }, 400, 'prompt', 'invalid_type'],
  ['no messages', 'chat/completions', { model: 'fake' }, 400, 'messages', 'missing_required_parameter'],
  ['an empty list of messages', 'chat/completions', chat({ messages: [] }), 400, 'messages', 'invalid_type'],
  ['a string as message', 'chat/completions', messages('hi'), 400, 'messages[0]', null],
  [
    'a message without role',
    'chat/completions',
    messages({ content: 'a' }),
    400,
    'messages[0].role',
    'missing_required_parameter',
  ],
  [
    'a number as content',
    'chat/completions',
    messages({ role: 'user', content: 1 }),
    400,
    'messages[0].content',
    'invalid_type',
  ],
  [
    'a part without type',
    'chat/completions',
    messages({ role: 'user', content: [{}] }),
    400,
    'messages[0].content[0].type',
    'missing_required_parameter',
  ],
  ['max_tokens as a string', 'chat/completions', chat({ max_tokens: '5' }), 400, 'max_tokens', 'invalid_type'],
  ['max_tokens 0', 'chat/completions', chat({ max_tokens: 0 }), 400, 'max_tokens', 'invalid_type'],
  [
    'max_completion_tokens 1.5',
    'chat/completions',
    chat({ max_completion_tokens: 1.5 }),
    400,
    'max_completion_tokens',
    'invalid_type',
  ],
  [
    'more tokens than the model takes',
    'chat/completions',
    chat({ max_tokens: 32768 }),
    400,
    'messages',
    'context_length_exceeded',
  ],
  ['stream as a string', 'chat/completions', chat({ stream: 'true' }), 400, 'stream', 'invalid_type'],
  ['stream_options without stream', 'chat/completions', chat({ stream_options: {} }), 400, 'stream_options', null],
  [
    'include_usage as a number',
    'chat/completions',
    chat({ stream: true, stream_options: { include_usage: 1 } }),
    400,
    'stream_options.include_usage',
    'invalid_type',
  ],
  ['an empty stop', 'chat/completions', chat({ stop: [''] }), 400, 'stop', 'invalid_type'],
  ['two choices', 'chat/completions', chat({ n: 2 }), 400, 'n', 'invalid_type'],
  ['temperature 3', 'chat/completions', chat({ temperature: 3 }), 400, 'temperature', 'invalid_type'],
  ['an answer without end', 'chat/completions', chat({ ignore_eos: true }), 400, 'ignore_eos', null],
])('%s to %s is refused with an OpenAI error object', (_, path, body, status, param, code) =>
  withServer(options, async (port) => {
    const answer = await call({ port, path: `/v1/${path}`, method: 'POST', body });
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(answer.text)).toEqual({
      error: { message: expect.stringMatching(/\w{3}/), type: 'invalid_request_error', param, code },
    });
  }),
);

test('an error says what came and what was expected, and quotes no text of a prompt', () =>
  withServer(options, async (port) => {
    const wrong = await call({ port, path: '/v1/chat/completions', body: chat({ max_tokens: true }) });
    expect(wrong.text).toContain('max_tokens must be a whole number of 1 or more, got true');
    const secret = await call({ port, path: '/v1/chat/completions', body: '{"messages": "my secret' });
    expect(secret.text).not.toContain('secret');
  }));

test('an unknown path is 404, a wrong method 405 with Allow', () =>
  withServer(options, async (port) => {
    expect(await call({ port, path: '/v1/embeddings', body: {} })).toMatchObject({ status: 404 });
    expect(await call({ port, path: '/constructor' })).toMatchObject({ status: 404 });
    expect(await call({ port, path: '/v1/completions' })).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(await call({ port, path: '/v1/models', body: {} })).toMatchObject({
      status: 405,
      headers: { allow: 'GET' },
    });
    expect(await call({ port, path: '/health', method: 'constructor' })).toMatchObject({ status: 400 });
  }));

test('every nth request for an answer fails where that is asked for, and only those', () =>
  withServer({ ...options, errorEvery: 3 }, async (port) => {
    const statuses: number[] = [];
    for (let index = 0; index < 7; index += 1) {
      // oxlint-disable-next-line no-await-in-loop -- their order is the point
      statuses.push((await call({ port, path: '/v1/chat/completions', body: chat() })).status);
    }
    expect(statuses).toEqual([200, 200, 500, 200, 200, 500, 200]);
    expect(await call({ port, path: '/health' })).toMatchObject({ status: 200 });
  }));
