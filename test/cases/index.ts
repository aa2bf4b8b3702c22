/** Tables of InferenceServices, good and bad, that several tests and the benchmark share. */
import type { GoodCase } from './case';
import { engines } from './engines';
import { doubtfulNames, names } from './names';
import { placement } from './placement';
import { pods } from './pods';
import { probes } from './probes';
import { server } from './server';
import { sizes } from './sizes';

export { badCases } from './bad';
export type { BadCase, GoodCase } from './case';

/** Resources that are admitted, rendered and taken by the API server without a warning. */
export const goodCases: readonly GoodCase[] = [
  ...engines,
  ...sizes,
  ...server,
  ...placement,
  ...probes,
  ...pods,
  ...names,
  ...doubtfulNames,
];
