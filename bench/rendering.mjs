import { interleave, median, packageVersion, runTask } from './measure.mjs';

const rounds = 5;
const longRounds = 3;

/** Rendering many services: does it grow linearly, and what is its share beside the writing of the text? */
export function rendering() {
  const times = (result) => median(result.map(({ milliseconds }) => milliseconds));
  const { construct1, construct10, synthesize1, synthesize10 } = interleave(longRounds, {
    construct1: () => runTask('render', 'construct', 1000),
    construct10: () => runTask('render', 'construct', 10_000),
    synthesize1: () => runTask('render', 'synthesize', 1000),
    synthesize10: () => runTask('render', 'synthesize', 10_000),
  });
  const { whole, wholeConstruct, text, validate, apiObjects } = interleave(rounds, {
    whole: () => runTask('render', 'synthesizeToText', 1000),
    text: () => runTask('render', 'text', 1000),
    wholeConstruct: () => runTask('render', 'constructToText', 1000),
    validate: () => runTask('render', 'validate', 1000),
    apiObjects: () => runTask('render', 'apiObjects', 1000),
  });
  // Once: it takes as long as all the others together
  const plus = [runTask('plus', 1000)];
  const growth = (one, ten) => ({ unit: '×', value: times(ten) / times(one), aim: 12 });
  const share = (result) => ({ unit: '×', value: times(result) / times(text), aim: 1.5 });
  const milliseconds = (name, result, note) => ({ name, unit: 'ms', value: times(result), ...(note && { note }) });
  return [
    milliseconds('1,000 services through the construct, in one chart', construct1),
    milliseconds('10,000 services through the construct, in one chart', construct10),
    { name: '… growth from 1,000 to 10,000', ...growth(construct1, construct10) },
    milliseconds('1,000 services through synthesize(), an app each', synthesize1),
    milliseconds('10,000 services through synthesize(), an app each', synthesize10),
    { name: '… growth from 1,000 to 10,000', ...growth(synthesize1, synthesize10) },
    milliseconds('1,000 services, only writing their YAML', text, `${(text[0].size / 1e6).toFixed(1)} MB`),
    milliseconds('1,000 services through the construct, to YAML', wholeConstruct),
    { name: '… against only writing', ...share(wholeConstruct) },
    milliseconds('1,000 services through synthesize(), to YAML', whole),
    { name: '… against only writing', ...share(whole) },
    milliseconds('1,000 services, only validation', validate),
    milliseconds('1,000 services, their finished objects through cdk8s', apiObjects),
    milliseconds(
      '1,000 services with plain cdk8s-plus-28, a chart each, to YAML',
      plus,
      `cdk8s-plus-28 ${packageVersion('cdk8s-plus-28')}`,
    ),
    {
      name: '… against synthesize() to YAML',
      unit: '×',
      value: times(plus) / times(whole),
    },
  ];
}
