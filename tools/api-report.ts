// Writes api-report.md: the declarations of all that users can import, so that a review sees what changes for them.
//   npm run api              writes it
//   npm run api -- --check   fails where it is not as committed
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import ts from 'typescript';

const REPORT = 'api-report.md';

process.chdir(resolve(__dirname, '..'));
const folder = mkdtempSync(join(tmpdir(), 'inferno-api-'));
try {
  const report = reportOf(entryPoints(), folder);
  if (!process.argv.includes('--check')) {
    writeFileSync(REPORT, report);
  } else if (readFileSync(REPORT, 'utf8') !== report) {
    console.error(`error: ${REPORT} is not current: run npm run api, and commit what it says`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The declarations of each entry point, by the name under which it is imported. What is generated has diffs of its own. */
function entryPoints(): ReadonlyMap<string, string> {
  const manifest: { readonly name: string; readonly exports: Readonly<Record<string, string | { types: string }>> } =
    JSON.parse(readFileSync('package.json', 'utf8'));
  return new Map(
    Object.entries(manifest.exports).flatMap(([key, target]) =>
      typeof target === 'string' || target.types.includes('/imports/')
        ? []
        : [[manifest.name + key.slice(1), target.types.replace(/^\.\/build\//, '')] as const],
    ),
  );
}

function reportOf(entries: ReadonlyMap<string, string>, out: string): string {
  const { status, stdout } = spawnSync(
    'node_modules/.bin/tsc',
    ['-p', 'tsconfig.json', '--emitDeclarationOnly', '--sourceMap', 'false', '--outDir', out],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stdout);
  const program = ts.createProgram(
    [...entries.values()].map((file) => join(out, file)),
    { noEmit: true, module: ts.ModuleKind.Node20, target: ts.ScriptTarget.ES2022, types: [] },
  );
  const checker = program.getTypeChecker();
  const resolved = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const exported = [...entries].map(([name, file]) => {
    const source = program.getSourceFile(join(out, file));
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is not a module`);
    return {
      name,
      symbols: checker.getExportsOfModule(module).map((each) => ({ name: each.name, symbol: resolved(each) })),
    };
  });
  const hidden = reachedFrom(
    exported.flatMap(({ symbols }) => symbols.map(({ symbol }) => symbol)),
    (identifier) => {
      const symbol = checker.getSymbolAtLocation(identifier);
      return symbol && resolved(symbol);
    },
    (declaration) => {
      const { fileName } = declaration.getSourceFile();
      return fileName.startsWith(`${out}/`) && !fileName.startsWith(`${out}/imports/`);
    },
  );
  return [
    '# What users can import\n\nMade by `npm run api`. Do not edit.\n',
    ...exported.map(({ name, symbols }) => section(name, symbols)),
    section(
      'Not exported, but part of what is',
      hidden.map((symbol) => ({ name: symbol.name, symbol })),
    ),
  ].join('\n');
}

/** What symbols are declared with, directly or not, as far as it is ours and none of them. */
function reachedFrom(
  symbols: readonly ts.Symbol[],
  symbolOf: (identifier: ts.Identifier) => ts.Symbol | undefined,
  isOurs: (declaration: ts.Declaration) => boolean,
): readonly ts.Symbol[] {
  const seen = new Set(symbols);
  const queue = [...seen];
  const visit = (node: ts.Node): void => {
    if (ts.isSourceFile(node)) return;
    const symbol = ts.isIdentifier(node) ? symbolOf(node) : undefined;
    if (symbol !== undefined && !seen.has(symbol) && symbol.declarations?.some(isTopLevel)) {
      seen.add(symbol);
      queue.push(symbol);
    }
    ts.forEachChild(node, visit);
  };
  const isTopLevel = (declaration: ts.Declaration): boolean =>
    ts.isSourceFile(statementOf(declaration).parent) && isOurs(declaration);
  // grows while it is walked
  for (const { declarations = [] } of queue) declarations.forEach(visit);
  return queue.slice(new Set(symbols).size);
}

interface Named {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

/** Declarations by name, without comments. */
function section(title: string, symbols: readonly Named[]): string {
  const printer = ts.createPrinter({ removeComments: true });
  const texts = symbols
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, symbol: { declarations = [] } }) =>
      declarations.map((declaration) =>
        ts.isSourceFile(declaration)
          ? `export * as ${name} from '${basename(declaration.fileName, '.d.ts')}';`
          : printer.printNode(ts.EmitHint.Unspecified, statementOf(declaration), declaration.getSourceFile()),
      ),
    );
  return `## ${title}\n\n\`\`\`typescript\n${texts.join('\n\n')}\n\`\`\`\n`;
}

function statementOf(declaration: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
}
