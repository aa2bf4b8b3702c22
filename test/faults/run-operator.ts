// What the child processes of the fault tests run: an operator whose options come as JSON.
import { inferenceServiceComposition } from '../../lib';
import { runOperator, type RunOperatorOptions } from '../../operator/main';

const options = JSON.parse(process.argv[2] ?? '{}') as Omit<RunOperatorOptions, 'compositions'>;
const io = {
  write: (line: string) => void process.stdout.write(line),
  on: process.on.bind(process),
  off: process.off.bind(process),
  exit: (code: number) => process.exit(code),
};
void runOperator({ compositions: [inferenceServiceComposition], ...options }, io).then((code) => process.exit(code));
