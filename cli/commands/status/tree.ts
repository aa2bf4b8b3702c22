import { printable, type Style } from '../../io';
import type { Paint } from '../../report';
import type { Health, StatusNode } from './node';

const LEAST_WIDTH = 40;

/** Trees of resources as text, one below the other, within so many columns as far as words can be broken. */
export function treeText(nodes: readonly StatusNode[], columns: number, paint: Paint): string {
  const width = Math.max(LEAST_WIDTH, columns);
  return nodes.map((node) => linesOf(node, '', '', width, paint, true).join('\n')).join('\n\n') + '\n';
}

function linesOf(
  node: StatusNode,
  head: string,
  rest: string,
  width: number,
  paint: Paint,
  isRoot: boolean,
): readonly string[] {
  const { kind, namespace, name, summary, health, messages, children } = node;
  const place = isRoot && namespace !== undefined ? `${namespace}/${name}` : name;
  const title = `${head}${mark(health, paint)} ${kind} ${paint('bold', printable(place))}`;
  const bare = [...head, '  ', kind, ' ', printable(place)].join('').length;
  const text = printable(summary);
  const guide = children.length > 0 ? '│ ' : '  ';
  const fits = text === '' || bare + 2 + text.length <= width;
  const notes = [...(fits ? [] : [text]), ...messages.map(printable)];
  return [
    fits && text !== '' ? `${title}  ${paint(styles[health], text)}` : title,
    ...notes
      .flatMap((note) => wrap(note, width - rest.length - 2))
      .map((line) => `${rest}${guide}${paint('dim', line)}`),
    ...children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      return linesOf(child, `${rest}${isLast ? '└─' : '├─'}`, `${rest}${isLast ? '  ' : '│ '}`, width, paint, false);
    }),
  ];
}

const styles: { readonly [health in Health]: Style } = { good: 'green', waiting: 'yellow', bad: 'red', unknown: 'dim' };
const marks: { readonly [health in Health]: string } = { good: '✓', waiting: '…', bad: '✗', unknown: '·' };

function mark(health: Health, paint: Paint): string {
  return paint(styles[health], marks[health]);
}

function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
