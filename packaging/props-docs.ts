/**
 * What the doc comments of an interface say of its members, without their tags: the values of the Helm chart are described
 * by the words of the props that they become.
 *
 * @param source TypeScript
 */
export function docsOfMembers(source: string): ReadonlyMap<string, string> {
  const members = source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*readonly (\w+)\??:/g);
  return new Map([...members].map(([, comment = '', name = '']) => [name, plain(comment)]));
}

function plain(comment: string): string {
  const [text = ''] = comment.split(/^\s*\*\s*@/m);
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trim())
    .filter((line) => line !== '')
    .join(' ');
}
