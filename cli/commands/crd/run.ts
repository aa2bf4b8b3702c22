import definition from '../../../imports/inferenceservice.crd.json';
import type { Parsed } from '../../command';
import { printableJson } from '../../io';
import type { Io } from '../../io';
import { writeObject } from '../../output/format';

/** Runs `inferno crd`. @returns the exit code */
export function crd({ values }: Parsed, io: Io): number {
  const isJson = values.get('output')?.[0] === 'json';
  io.stdout.write(isJson ? printableJson(writeObject(definition, 'json')) : writeObject(definition, 'yaml'));
  return 0;
}
