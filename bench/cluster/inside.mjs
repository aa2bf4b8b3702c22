// node inside.mjs COUNT, in a network namespace of its own: runs so many model servers and prints what it took, as JSON.
import { scale } from '../../test/e2e/scale.ts';

const figures = await scale(Number(process.argv[2]), (line) => console.error(`    ${line}`));
if (figures.complaints.length > 0) throw new Error(`the operator complained:\n${figures.complaints.join('\n')}`);
console.log(JSON.stringify(figures));
