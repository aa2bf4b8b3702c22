import inferenceServiceSchema from '../../../crds/inferenceservice.schema.json';
import { printableJson } from '../../io';
import type { Io } from '../../io';

/** Runs `inferno schema`. @returns the exit code */
export function schema(io: Io): number {
  io.stdout.write(`${printableJson(JSON.stringify(inferenceServiceSchema, undefined, 2))}\n`);
  return 0;
}
