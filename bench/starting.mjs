import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { helm } from '../test/tools/helm.ts';
import { interleave, median, root, succeed, wholeProcess } from './measure.mjs';

const rounds = 15;
const service = `${root}/bench/service.yaml`;
const chart = `${root}/bench/chart`;
const cli = `${root}/build/bin/inferno.cjs`;

/** `inferno render` of one file beside `helm template` of a chart that gives the same objects: whole processes. */
export async function starting() {
  const program = await helm();
  const nodes = [...new Set([process.execPath, systemNode()])].filter((node) => node !== undefined);
  const render = (node) => [node, [cli, 'render', '-f', service]];
  const template = [program, ['template', 'llama', chart, '--namespace', 'team-a']];
  const measures = {
    helm: () => wholeProcess(...template),
    ...Object.fromEntries(nodes.map((node) => [`render ${node}`, () => wholeProcess(...render(node))])),
    ...Object.fromEntries(nodes.map((node) => [`empty ${node}`, () => wholeProcess(node, ['-e', ''])])),
  };
  const results = interleave(rounds, measures);
  const lines = (text) => `${text.split('\n').length} lines`;
  const helmTime = median(results.helm);
  return [
    { name: 'helm template', unit: 'ms', value: helmTime, note: lines(succeed(...template).stdout) },
    ...nodes.flatMap((node) => {
      const version = succeed(node, ['--version']).stdout.trim();
      const time = median(results[`render ${node}`]);
      return [
        { name: `node ${version}, doing nothing`, unit: 'ms', value: median(results[`empty ${node}`]) },
        {
          name: `inferno render, node ${version}`,
          unit: 'ms',
          value: time,
          note: lines(succeed(...render(node)).stdout),
        },
        { name: '… against helm template', unit: '×', value: time / helmTime, aim: 1.5 },
      ];
    }),
  ];
}

/** The machine's own Node: `npm run` puts the one in node_modules before it. */
function systemNode() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((file) => existsSync(file));
}
