import { interleave, median, runTask } from './measure.mjs';

/** Validation: the first resource pays for compiling the schema, the others for themselves. */
export function validation() {
  const { one, thousand, more } = interleave(5, {
    one: () => runTask('render', 'validate', 1),
    thousand: () => runTask('render', 'validate', 1000),
    more: () => runTask('render', 'validate', 11_000),
  });
  const times = (result) => median(result.map(({ milliseconds }) => milliseconds));
  return [
    { name: 'validating the first service', unit: 'ms', value: times(one), note: 'with compiling schema and rules' },
    { name: 'validating each of the next 999', unit: 'ms', value: (times(thousand) - times(one)) / 999 },
    { name: 'validating each of 10,000 after that', unit: 'ms', value: (times(more) - times(thousand)) / 10_000 },
  ];
}
