import { custom } from './custom';
import type { Engine, Framework } from './engine';
import { fake } from './fake';
import { triton } from './triton';
import { vllm } from './vllm';

export type { Engine, EngineContext, EnginePort, Framework, ProbeHandler } from './engine';

/** Every engine, by its name in `spec.model.framework`. */
export const engines: Readonly<Record<Framework, Engine>> = { vllm, triton, fake, custom };
