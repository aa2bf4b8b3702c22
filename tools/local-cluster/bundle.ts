import { build, type BuildOptions } from 'esbuild';

/** Bundles a TypeScript program and all that it imports into one file, which a Node process of its own runs. */
export async function bundleProgram(entry: string, outfile: string, more: BuildOptions = {}): Promise<void> {
  await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    logLevel: 'error',
    entryPoints: [entry],
    outfile,
    ...more,
  });
}
