/**
 * Replaces `$(NAME)` by the variable's value, as the kubelet does: `$$` stands for one `$`, and what is not known stays as
 * it is.
 */
export function expand(text: string, lookup: (name: string) => string | undefined): string {
  return text.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (whole, name: string | undefined) =>
    name === undefined ? '$' : (lookup(name) ?? whole),
  );
}
