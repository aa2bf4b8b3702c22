/** The way from the root to a value: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[];

/** A path as people write it: `spec.env[0].name`, `spec.nodeSelector["a.b/c"]`; empty for the root. `root` is what the path begins at. */
export function formatPath(path: Path, root = ''): string {
  let text = root;
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text;
}

/** The path that a text of {@link formatPath}'s form stands for. What has another form becomes keys as far as it can. */
export function parsePath(text: string): Path {
  return Array.from(text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g), ([, index, quoted, name = '']) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? name : unquote(quoted);
  });
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
