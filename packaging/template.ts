/**
 * The text of a Helm template, made from rendered YAML step by step. Each step has to find what it looks for: where the
 * construct has changed, the chart fails to be made instead of leaving something out.
 */
export class Template {
  #text: string;

  /** @param yaml rendered with stand-ins, which the steps replace */
  constructor(yaml: string) {
    // What looks like a template in the YAML, such as in alerts, is text.
    this.#text = yaml.replaceAll('{{', '{{ "{{" }}');
  }

  /** Replaces every stand-in by an expression. Where it is the whole value, the expression is quoted. */
  expression(standIn: string, expression: string): this {
    const whole = new RegExp(`([:-] )${standIn}$`, 'gm');
    return this.#replace(standIn, (text) =>
      text.replaceAll(whole, `$1{{ ${expression} | quote }}`).replaceAll(standIn, `{{ ${expression} }}`),
    );
  }

  /** Replaces what stands on a line, after its indentation, by other lines. */
  line(content: string, lines: readonly string[]): this {
    const pattern = new RegExp(`^( *)${escaped(content)}\\n`, 'gm');
    return this.#replace(content, (text) => text.replaceAll(pattern, (_, indent: string) => indented(lines, indent)));
  }

  /** Replaces a field with all that is in it, if it has the content in it, by other lines. */
  field(name: string, content: string, lines: (indent: number) => readonly string[]): this {
    const pattern = new RegExp(`^( *)${name}:(.*)\\n((?:\\1 .*\\n)*)`, 'gm');
    return this.#replace(content, (text) =>
      text.replaceAll(pattern, (whole: string, indent: string) =>
        whole.includes(content) ? indented(lines(indent.length), indent) : whole,
      ),
    );
  }

  /** Puts lines before and behind a field with all that is in it. */
  around(
    name: string,
    { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  ): this {
    const pattern = new RegExp(`^( *)${name}:.*\\n(?:\\1 .*\\n)*`, 'gm');
    return this.#replace(`${name}:`, (text) =>
      text.replaceAll(pattern, (whole: string, indent: string) =>
        [indented(before, indent), whole, indented(after, indent)].join(''),
      ),
    );
  }

  has(text: string): boolean {
    return this.#text.includes(text);
  }

  /** Puts lines before and behind all of it. */
  within(before: string, after: string): this {
    this.#text = `${before}\n${this.#text}${after}\n`;
    return this;
  }

  /** @throws Error where a stand-in is left, by what its name begins with */
  finish(prefix: string): string {
    const line = this.#text.split('\n').find((each) => each.includes(prefix));
    if (line !== undefined) throw new Error(`nothing takes the place of "${line.trim()}" in the chart`);
    return this.#text;
  }

  #replace(what: string, change: (text: string) => string): this {
    const changed = change(this.#text);
    if (changed === this.#text) throw new Error(`"${what}" is not where the chart expects it`);
    this.#text = changed;
    return this;
  }
}

function indented(lines: readonly string[], indent: string): string {
  return lines.map((line) => `${indent}${line}\n`).join('');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
