import { interleave, median, runTask } from './measure.mjs';

/** Loading the library: beside loading cdk8s, which every user of it loads anyway. */
export function loading() {
  const { cdk8s, inferno } = interleave(11, {
    cdk8s: () => runTask('load', 'cdk8s'),
    inferno: () => runTask('load', 'inferno'),
  });
  const of = (result, key) => median(result.map((entry) => entry[key]));
  const { unwanted, files } = inferno[0];
  return [
    { name: 'loading cdk8s', unit: 'ms', value: of(cdk8s, 'milliseconds'), note: `${cdk8s[0].files} files` },
    { name: 'loading the library', unit: 'ms', value: of(inferno, 'milliseconds'), note: `${files} files` },
    {
      name: '… against cdk8s, time',
      unit: '×',
      value: of(inferno, 'milliseconds') / of(cdk8s, 'milliseconds'),
      aim: 1.3,
    },
    { name: 'memory with cdk8s loaded', unit: 'MB', value: of(cdk8s, 'rssMb') },
    { name: 'memory with the library loaded', unit: 'MB', value: of(inferno, 'rssMb') },
    { name: '… against cdk8s, memory', unit: '×', value: of(inferno, 'rssMb') / of(cdk8s, 'rssMb'), aim: 1.3 },
    {
      name: 'files of client-node or cdk8s-plus that are loaded with it',
      unit: '',
      value: unwanted.length,
      aim: 0,
    },
  ];
}
