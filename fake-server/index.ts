export { describeEnvironment, type Output, runFakeServer, type Signals } from './main';
export { type EnvironmentVariable, environmentVariables, type FakeServerOptions } from './options';
export type { LogEntry } from './routes';
export { type FakeServer, type Patience, startFakeServer, type Surroundings } from './server';
