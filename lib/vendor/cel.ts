export { Environment } from '@marcbachmann/cel-js';
