import { call, chat, eventually, metric, withServer } from './client';

const path = '/v1/chat/completions';

const families = {
  'vllm:num_requests_running': 'gauge',
  'vllm:num_requests_waiting': 'gauge',
  'vllm:kv_cache_usage_perc': 'gauge',
  'vllm:prompt_tokens_total': 'counter',
  'vllm:generation_tokens_total': 'counter',
  'vllm:request_success_total': 'counter',
  'vllm:time_to_first_token_seconds': 'histogram',
  'vllm:inter_token_latency_seconds': 'histogram',
  'vllm:e2e_request_latency_seconds': 'histogram',
  'vllm:request_queue_time_seconds': 'histogram',
};

test('the families of vLLM are there before the first request, with its types and labels', () =>
  withServer({}, async (port) => {
    const { text, headers } = await call({ port, path: '/metrics' });
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
    expect(Object.fromEntries(types)).toEqual(families);
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    for (const sample of samples) {
      expect(sample).toMatch(
        /^vllm:[a-z0-9_]+\{engine="0",(finished_reason="[a-z]+",)?model_name="fake"(,le="[0-9.+Inf]+")?\} [0-9.e+-]+$/,
      );
    }
    expect(text.endsWith('\n')).toBe(true);
    for (const reason of ['stop', 'length', 'abort', 'error']) {
      expect(text).toContain(
        `vllm:request_success_total{engine="0",finished_reason="${reason}",model_name="fake"} 0\n`,
      );
    }
    expect(text).toContain('le="1.0"}');
  }));

test('requests, tokens and times are counted', () =>
  withServer({ answerTokens: 4, tokenMilliseconds: 3, firstTokenMilliseconds: 20 }, async (port) => {
    await call({ port, path, body: chat() });
    await call({ port, path, body: chat({ max_tokens: 3, stream: true }) });
    await call({ port, path, body: chat({ n: 2 }) });
    expect(await metric(port, 'prompt_tokens_total')).toBe(10);
    expect(await metric(port, 'generation_tokens_total')).toBe(7);
    expect(await metric(port, 'request_success_total', 'finished_reason="stop"')).toBe(1);
    expect(await metric(port, 'request_success_total', 'finished_reason="length"')).toBe(1);
    expect(await metric(port, 'time_to_first_token_seconds_count')).toBe(2);
    expect(await metric(port, 'time_to_first_token_seconds_bucket', 'le="0.01"')).toBe(0);
    expect(await metric(port, 'time_to_first_token_seconds_bucket', 'le="2.5"')).toBe(2);
    expect(await metric(port, 'inter_token_latency_seconds_count')).toBe(5);
    expect(await metric(port, 'e2e_request_latency_seconds_bucket', 'le="+Inf"')).toBe(2);
    expect(await metric(port, 'e2e_request_latency_seconds_sum')).toBeGreaterThan(0.04);
    expect(await metric(port, 'request_queue_time_seconds_count')).toBe(2);
  }));

test('running and waiting requests and the share of slots show while they last', () =>
  withServer({ maxRunning: 2, firstTokenMilliseconds: 10_000 }, async (port) => {
    const leave = new AbortController();
    const calls = [1, 2, 3, 4, 5].map(() => call({ port, path, body: chat(), signal: leave.signal }));
    const settled = Promise.allSettled(calls);
    await eventually(async () => (await metric(port, 'num_requests_waiting')) === 3);
    expect(await metric(port, 'num_requests_running')).toBe(2);
    expect(await metric(port, 'kv_cache_usage_perc')).toBe(1);
    leave.abort();
    await settled;
    await eventually(async () => (await metric(port, 'num_requests_running')) === 0);
    expect(await metric(port, 'num_requests_waiting')).toBe(0);
    expect(await metric(port, 'kv_cache_usage_perc')).toBe(0);
    await eventually(async () => (await metric(port, 'request_success_total', '"abort"')) === 5);
  }));

test('the name of the model is escaped', () =>
  withServer({ modelName: 'a "b" \\ c\nd' }, async (port) => {
    const { text } = await call({ port, path: '/metrics' });
    expect(text).toContain('vllm:num_requests_running{engine="0",model_name="a \\"b\\" \\\\ c\\nd"} 0\n');
  }));
