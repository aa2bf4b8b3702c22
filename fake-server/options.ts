import { defined } from '../lib/composition/objects';
/** How a fake server behaves. Every option has an environment variable: {@link environmentVariables}. */
export interface FakeServerOptions {
  /** TCP port. 0 lets the system choose a free one. @default 8000 */
  readonly port: number;
  /** Address to listen on; `::` stands for all addresses, IPv4 and IPv6 as far as the machine has them. @default 127.0.0.1 */
  readonly host: string;
  /** The model's name in requests, answers and metrics. @default the last part of modelUri, else `fake` */
  readonly modelName: string;
  /** Where a real server would load the model from; shown in /v1/models. @default none */
  readonly modelUri?: string;
  /** The model's version: `system_fingerprint` of every answer, and /version. @default none */
  readonly modelVersion?: string;
  /** Seconds until the port opens, as if a model were loaded. Connections are refused until then. @default 0 */
  readonly loadSeconds: number;
  /** Milliseconds from the start of a request's turn to its first token. @default 0 */
  readonly firstTokenMilliseconds: number;
  /** Milliseconds between two tokens of an answer. @default 0 */
  readonly tokenMilliseconds: number;
  /** Tokens of an answer that neither `max_tokens` nor `stop` ends sooner. @default 32 */
  readonly answerTokens: number;
  /** Answers that are generated at the same time. @default 256 */
  readonly maxRunning: number;
  /** Requests that may wait for their turn; one more is answered 503. @default 1024 */
  readonly maxWaiting: number;
  /** Every how many generation requests one is answered 500; 0 for never. @default 0 */
  readonly errorEvery: number;
  /** Seconds that running and waiting requests have once the server gets the signal to stop. @default 60 */
  readonly shutdownSeconds: number;
}

/** One environment variable of `inferno fake-server`. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly description: string;
  /** The default, for people. */
  readonly default: string;
  readonly unit?: 'seconds' | 'milliseconds' | undefined;
}

type NumberOption = {
  [K in keyof FakeServerOptions]-?: FakeServerOptions[K] extends number ? K : never;
}[keyof FakeServerOptions];

interface NumberVariable {
  readonly name: string;
  readonly description: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly unit?: 'seconds' | 'milliseconds';
}

const DAY = 24 * 60 * 60;

const numbers: { readonly [option in NumberOption]: NumberVariable } = {
  port: { name: 'PORT', description: 'TCP port; 0 takes a free one', default: 8000, min: 0, max: 65535 },
  loadSeconds: {
    name: 'INFERNO_FAKE_LOAD_SECONDS',
    description: 'time until the port opens, as if a model were loaded',
    default: 0,
    min: 0,
    max: DAY,
    unit: 'seconds',
  },
  firstTokenMilliseconds: {
    name: 'INFERNO_FAKE_FIRST_TOKEN_MS',
    description: "time from the start of a request's turn to its first token",
    default: 0,
    min: 0,
    max: DAY * 1000,
    unit: 'milliseconds',
  },
  tokenMilliseconds: {
    name: 'INFERNO_FAKE_TOKEN_MS',
    description: 'time between two tokens of an answer',
    default: 0,
    min: 0,
    max: DAY * 1000,
    unit: 'milliseconds',
  },
  answerTokens: {
    name: 'INFERNO_FAKE_ANSWER_TOKENS',
    description: 'tokens of an answer that neither max_tokens nor stop ends sooner',
    default: 32,
    min: 1,
    max: 32768,
  },
  maxRunning: {
    name: 'INFERNO_FAKE_MAX_RUNNING',
    description: 'answers that are generated at the same time',
    default: 256,
    min: 1,
    max: 100_000,
  },
  maxWaiting: {
    name: 'INFERNO_FAKE_MAX_WAITING',
    description: 'requests that may wait for their turn; one more is answered 503',
    default: 1024,
    min: 0,
    max: 1_000_000,
  },
  errorEvery: {
    name: 'INFERNO_FAKE_ERROR_EVERY',
    description: 'every how many generation requests one is answered 500; 0 for never',
    default: 0,
    min: 0,
    max: 1_000_000_000,
  },
  shutdownSeconds: {
    name: 'INFERNO_FAKE_SHUTDOWN_SECONDS',
    description: 'time that running and waiting requests have after SIGTERM',
    default: 60,
    min: 0,
    max: DAY,
    unit: 'seconds',
  },
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys() of a mapped type has no better type
const numberOptions = Object.keys(numbers) as readonly NumberOption[];

const texts: readonly EnvironmentVariable[] = [
  {
    name: 'HOST',
    description: 'address to listen on; :: is all addresses, IPv4 and IPv6 as far as the machine has them',
    default: '127.0.0.1',
  },
  {
    name: 'MODEL_NAME',
    description: "the model's name in requests, answers and metrics",
    default: 'the last part of MODEL_URI, else fake',
  },
  { name: 'MODEL_URI', description: 'where the model comes from; shown in /v1/models, never read', default: 'none' },
  { name: 'MODEL_VERSION', description: 'system_fingerprint of every answer, and /version', default: 'none' },
];

/** Every variable that the fake server reads, with its unit and default. */
export const environmentVariables: readonly EnvironmentVariable[] = [
  ...texts,
  ...Object.values(numbers).map(({ name, description, unit, default: standard }) => ({
    name,
    description,
    default: String(standard),
    unit,
  })),
];

/** What came out of reading the environment: options, or everything that is wrong with it. */
export type ParsedEnvironment =
  | { readonly valid: true; readonly options: FakeServerOptions }
  | { readonly valid: false; readonly errors: readonly string[] };

/** Options with their defaults filled in. */
export function withDefaults(given: Partial<FakeServerOptions> = {}): FakeServerOptions {
  const number = (option: NumberOption): number => given[option] ?? numbers[option].default;
  return {
    port: number('port'),
    host: given.host ?? '127.0.0.1',
    modelName: given.modelName ?? nameFromUri(given.modelUri) ?? 'fake',
    ...defined({ modelUri: given.modelUri, modelVersion: given.modelVersion }),
    loadSeconds: number('loadSeconds'),
    firstTokenMilliseconds: number('firstTokenMilliseconds'),
    tokenMilliseconds: number('tokenMilliseconds'),
    answerTokens: number('answerTokens'),
    maxRunning: number('maxRunning'),
    maxWaiting: number('maxWaiting'),
    errorEvery: number('errorEvery'),
    shutdownSeconds: number('shutdownSeconds'),
  };
}

/** Reads the options from environment variables. An empty value counts as not given. */
export function parseEnvironment(env: { readonly [name: string]: string | undefined }): ParsedEnvironment {
  const errors: string[] = [];
  const given: { -readonly [option in keyof FakeServerOptions]?: FakeServerOptions[option] } = {};
  for (const option of numberOptions) {
    const variable = numbers[option];
    const text = env[variable.name];
    if (text === undefined || text === '') continue;
    const value = parseNumber(text, variable);
    if (value === undefined) errors.push(`${variable.name}: ${expectation(variable)}, got ${JSON.stringify(text)}`);
    else given[option] = value;
  }
  if (env['HOST']) given.host = env['HOST'];
  if (env['MODEL_NAME']) given.modelName = env['MODEL_NAME'];
  if (env['MODEL_URI']) given.modelUri = env['MODEL_URI'];
  if (env['MODEL_VERSION']) given.modelVersion = env['MODEL_VERSION'];
  errors.push(...unknownVariables(env));
  return errors.length > 0 ? { valid: false, errors } : { valid: true, options: withDefaults(given) };
}

function parseNumber(text: string, variable: NumberVariable): number | undefined {
  const form = variable.unit === undefined ? /^[0-9]{1,12}$/ : /^[0-9]{1,12}(\.[0-9]{1,9})?$/;
  if (!form.test(text)) return undefined;
  const value = Number(text);
  return value >= variable.min && value <= variable.max ? value : undefined;
}

function expectation({ unit, min, max }: NumberVariable): string {
  return unit === undefined
    ? `must be a whole number from ${min} to ${max}`
    : `must be a number of ${unit} from ${min} to ${max}`;
}

// Kubernetes sets such variables for every Service of the namespace where a pod has enableServiceLinks.
const serviceLink = /_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT|PORT_[0-9]+_.+)$/;

function unknownVariables(env: { readonly [name: string]: string | undefined }): string[] {
  const known = new Set(environmentVariables.map(({ name }) => name));
  return Object.keys(env)
    .filter((name) => name.startsWith('INFERNO_FAKE_') && !known.has(name) && !serviceLink.test(name))
    .toSorted()
    .map(
      (name) =>
        `${name}: is not a variable of the fake server; it knows ` +
        [...known].filter((other) => other.startsWith('INFERNO_FAKE_')).join(', '),
    );
}

function nameFromUri(uri: string | undefined): string | undefined {
  const last = uri
    ?.replace(/[?#].*$/, '')
    .split('/')
    .findLast((part) => part !== '');
  return last === undefined || last.endsWith(':') ? undefined : last;
}
