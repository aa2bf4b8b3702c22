import { describeEnvironment, environmentVariables } from '../../fake-server/index';
import { parseEnvironment } from '../../fake-server/options';

test('an empty environment gives the documented defaults', () => {
  expect(parseEnvironment({})).toEqual({
    valid: true,
    options: {
      port: 8000,
      host: '127.0.0.1',
      modelName: 'fake',
      loadSeconds: 0,
      firstTokenMilliseconds: 0,
      tokenMilliseconds: 0,
      answerTokens: 32,
      maxRunning: 256,
      maxWaiting: 1024,
      errorEvery: 0,
      shutdownSeconds: 60,
    },
  });
});

test('every variable sets its option', () => {
  expect(
    parseEnvironment({
      PORT: '0',
      HOST: '::',
      MODEL_NAME: 'mine',
      MODEL_URI: 'hf://org/model',
      MODEL_VERSION: 'v7',
      INFERNO_FAKE_LOAD_SECONDS: '1.5',
      INFERNO_FAKE_FIRST_TOKEN_MS: '20',
      INFERNO_FAKE_TOKEN_MS: '0.25',
      INFERNO_FAKE_ANSWER_TOKENS: '3',
      INFERNO_FAKE_MAX_RUNNING: '4',
      INFERNO_FAKE_MAX_WAITING: '0',
      INFERNO_FAKE_ERROR_EVERY: '9',
      INFERNO_FAKE_SHUTDOWN_SECONDS: '7',
    }),
  ).toEqual({
    valid: true,
    options: {
      port: 0,
      host: '::',
      modelName: 'mine',
      modelUri: 'hf://org/model',
      modelVersion: 'v7',
      loadSeconds: 1.5,
      firstTokenMilliseconds: 20,
      tokenMilliseconds: 0.25,
      answerTokens: 3,
      maxRunning: 4,
      maxWaiting: 0,
      errorEvery: 9,
      shutdownSeconds: 7,
    },
  });
});

test.each([
  ['PORT', '65536', 'must be a whole number from 0 to 65535'],
  ['PORT', '80a', 'must be a whole number from 0 to 65535'],
  ['PORT', 'tcp://10.0.0.1:80', 'must be a whole number from 0 to 65535'],
  ['INFERNO_FAKE_LOAD_SECONDS', '-1', 'must be a number of seconds from 0 to 86400'],
  ['INFERNO_FAKE_LOAD_SECONDS', '1m', 'must be a number of seconds from 0 to 86400'],
  ['INFERNO_FAKE_FIRST_TOKEN_MS', 'NaN', 'must be a number of milliseconds from 0 to 86400000'],
  ['INFERNO_FAKE_TOKEN_MS', '1e3', 'must be a number of milliseconds from 0 to 86400000'],
  ['INFERNO_FAKE_ANSWER_TOKENS', '0', 'must be a whole number from 1 to 32768'],
  ['INFERNO_FAKE_MAX_RUNNING', '0', 'must be a whole number from 1 to 100000'],
  ['INFERNO_FAKE_MAX_WAITING', '1.5', 'must be a whole number from 0 to 1000000'],
  ['INFERNO_FAKE_ERROR_EVERY', ' 1', 'must be a whole number from 0 to 1000000000'],
  ['INFERNO_FAKE_SHUTDOWN_SECONDS', 'Infinity', 'must be a number of seconds from 0 to 86400'],
])('%s=%s is refused by name, with what came and what was expected', (name, value, expected) => {
  expect(parseEnvironment({ [name]: value })).toEqual({
    valid: false,
    errors: [`${name}: ${expected}, got ${JSON.stringify(value)}`],
  });
});

test('all wrong variables are named at once', () => {
  const parsed = parseEnvironment({ PORT: 'x', INFERNO_FAKE_MAX_RUNNING: 'y', INFERNO_FAKE_LATENCY: '3' });
  expect(parsed).toEqual({
    valid: false,
    errors: [
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^INFERNO_FAKE_MAX_RUNNING: /),
      expect.stringMatching(/^INFERNO_FAKE_LATENCY: is not a variable of the fake server; .*INFERNO_FAKE_TOKEN_MS/),
    ],
  });
});

test('the variables that Kubernetes sets for a Service called inferno-fake are no mistake', () => {
  const links = {
    INFERNO_FAKE_SERVICE_HOST: '10.0.0.1',
    INFERNO_FAKE_SERVICE_PORT: '80',
    INFERNO_FAKE_SERVICE_PORT_HTTP: '80',
    INFERNO_FAKE_PORT: 'tcp://10.0.0.1:80',
    INFERNO_FAKE_PORT_80_TCP_ADDR: '10.0.0.1',
  };
  expect(parseEnvironment(links)).toMatchObject({ valid: true, options: { port: 8000 } });
});

test('an empty value counts as not given', () => {
  expect(parseEnvironment({ PORT: '', HOST: '', MODEL_NAME: '' })).toEqual(parseEnvironment({}));
});

test.each([
  ['hf://org/Model-7B', 'Model-7B'],
  ['pvc://claim/folder/', 'folder'],
  ['pvc://claim', 'claim'],
  ['https://example.com/m.gguf?download=true', 'm.gguf'],
  ['/models/tiny', 'tiny'],
  ['hf://', 'fake'],
  ['just text', 'just text'],
])('the model of %s is called %s', (uri, name) => {
  expect(parseEnvironment({ MODEL_URI: uri })).toMatchObject({ options: { modelName: name } });
});

test('the help names every variable with unit and default', () => {
  const lines = describeEnvironment().trimEnd().split('\n');
  expect(lines).toHaveLength(environmentVariables.length);
  expect(lines).toContainEqual(expect.stringMatching(/^INFERNO_FAKE_TOKEN_MS +.* \(milliseconds, default 0\)$/));
  expect(lines).toContainEqual(expect.stringMatching(/^HOST +.* \(default 127\.0\.0\.1\)$/));
});
