import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Io } from '../../cli/io';
import { run } from '../../cli/run';

/** What a command wrote and how it ended. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the world of a command differs from an ordinary one. */
export interface World {
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: boolean;
  readonly now?: () => number;
  readonly interrupted?: AbortSignal;
}

const folders: string[] = [];

/** A folder with these files, gone after the test. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'inferno-cli-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Removes the folders of a test; for afterEach. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Runs a command line in this process. */
export async function inferno(argv: readonly string[], world: World = {}): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  const isTerminal = world.terminal === true;
  const io: Io = {
    stdout: { write: (text) => void (stdout += text), isTerminal },
    stderr: { write: (text) => void (stderr += text), isTerminal },
    readStdin: async () => Buffer.from(world.stdin ?? ''),
    cwd: world.cwd ?? '/nonexistent',
    env: world.env ?? {},
    now: world.now ?? (() => 0),
    interrupted: world.interrupted ?? new AbortController().signal,
  };
  const code = await run(argv, io);
  return { code, stdout, stderr };
}

/** The YAML of a valid InferenceService. */
export function serviceYaml(
  name: string,
  extra: { readonly namespace?: string; readonly replicas?: string } = {},
): string {
  const namespace = extra.namespace === undefined ? '' : `\n  namespace: ${extra.namespace}`;
  return `apiVersion: inference.inferno.io/v1alpha1
kind: InferenceService
metadata:
  name: ${name}${namespace}
spec:
  model:
    uri: none
    framework: fake
    version: "1"
  replicas: ${extra.replicas ?? '{min: 1, max: 2}'}
`;
}

/** The YAML of a resource of another kind. */
export const configMapYaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  on: "yes"\n';
