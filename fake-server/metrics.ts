/** Why a request ended, as vLLM names it. `abort`: the client left, or the server had to stop. */
export type FinishReason = 'stop' | 'length' | 'abort' | 'error';

const finishReasons: readonly FinishReason[] = ['stop', 'length', 'abort', 'error'];

// Upper bounds in seconds, the same as vLLM's, so that dashboards and alerts made for it show the same thing here.
const firstTokenBuckets = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560,
];
const betweenTokensBuckets = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
];
const requestBuckets = [0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680];

class Histogram {
  readonly counts: number[];
  sum = 0;
  count = 0;

  constructor(readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  observe(seconds: number): void {
    const index = this.bounds.findIndex((bound) => seconds <= bound);
    if (index >= 0) this.counts[index] = (this.counts[index] ?? 0) + 1;
    this.sum += seconds;
    this.count += 1;
  }
}

/** Requests that have a slot and that wait for one. */
export interface Load {
  readonly running: number;
  readonly waiting: number;
  /** Slots in all. */
  readonly capacity: number;
}

/** The counters and histograms of one server. Names, types and labels are vLLM's. */
export class Metrics {
  promptTokens = 0;
  generationTokens = 0;
  readonly firstToken = new Histogram(firstTokenBuckets);
  readonly betweenTokens = new Histogram(betweenTokensBuckets);
  readonly latency = new Histogram(requestBuckets);
  readonly queueTime = new Histogram(requestBuckets);
  readonly #finished = new Map<FinishReason, number>(finishReasons.map((reason) => [reason, 0]));

  finish(reason: FinishReason): void {
    this.#finished.set(reason, (this.#finished.get(reason) ?? 0) + 1);
  }

  /** The Prometheus text format, version 0.0.4. */
  render(modelName: string, load: Load): string {
    const labels = `engine="0",model_name="${escapeLabel(modelName)}"`;
    const one = (name: string, type: string, help: string, value: number): string[] => [
      ...head(name, type, help),
      `${name}{${labels}} ${value}`,
    ];
    return [
      ...one('vllm:num_requests_running', 'gauge', 'Requests that are being answered.', load.running),
      ...one('vllm:num_requests_waiting', 'gauge', 'Requests that wait for their turn.', load.waiting),
      ...one(
        'vllm:kv_cache_usage_perc',
        'gauge',
        'Share of the slots in use, from 0 to 1.',
        load.running / load.capacity,
      ),
      ...one('vllm:prompt_tokens_total', 'counter', 'Tokens of prompts.', this.promptTokens),
      ...one('vllm:generation_tokens_total', 'counter', 'Tokens of answers.', this.generationTokens),
      ...head('vllm:request_success_total', 'counter', 'Requests that ended, by reason.'),
      ...finishReasons.map(
        (reason) =>
          `vllm:request_success_total{engine="0",finished_reason="${reason}",model_name="${escapeLabel(modelName)}"} ` +
          String(this.#finished.get(reason) ?? 0),
      ),
      ...histogram('vllm:time_to_first_token_seconds', 'Time to the first token.', labels, this.firstToken),
      ...histogram('vllm:inter_token_latency_seconds', 'Time between two tokens.', labels, this.betweenTokens),
      ...histogram('vllm:e2e_request_latency_seconds', 'Time from request to end of answer.', labels, this.latency),
      ...histogram(
        'vllm:request_queue_time_seconds',
        'Time that requests waited for their turn.',
        labels,
        this.queueTime,
      ),
      '',
    ].join('\n');
  }
}

function head(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function histogram(name: string, help: string, labels: string, { bounds, counts, sum, count }: Histogram): string[] {
  let total = 0;
  const buckets = bounds.map((bound, index) => {
    total += counts[index] ?? 0;
    // Prometheus' Python client, and so vLLM, writes whole numbers with ".0"; as a label's value that matters.
    return `${name}_bucket{${labels},le="${Number.isInteger(bound) ? `${bound}.0` : bound}"} ${total}`;
  });
  return [
    ...head(name, 'histogram', help),
    ...buckets,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${count}`,
  ];
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}
