/**
 * A text that the kubelet leaves as it is. In the values of variables and in arguments it reads `$(NAME)` as a reference
 * and `$$` as one dollar.
 */
export function literal(text: string): string {
  return text.replaceAll(/\$(?=[$(])/g, '$$$$');
}
