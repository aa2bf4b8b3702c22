import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** How a command ended. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const root = process.cwd();

/** The environment of somebody who has never seen this repository: its Node, its tools and npm's settings are not there. */
const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_|^JEST_|^FORCE_COLOR$/i.test(name)),
  ),
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
  // cdk8s-cli asks the registry for a newer version of itself before each command
  CDK8S_CHECK_UPGRADE: 'false',
  NO_COLOR: '1',
};

/** A project of a user, in a folder of its own. */
export class Project {
  constructor(readonly folder: string) {}

  /** The package as `npm publish` would send it, in a fresh folder. */
  static pack(): string {
    const folder = mkdtempSync(join(tmpdir(), 'inferno-tarball-'));
    new Project(root).run('npm', 'pack', '--silent', '--pack-destination', folder);
    const [tarball, ...others] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    if (tarball === undefined || others.length > 0) {
      throw new Error(`npm pack left ${readdirSync(folder).join(', ') || 'nothing'} and not one tarball`);
    }
    return join(folder, tarball);
  }

  /** What `cdk8s init typescript-app` generates, its dependencies installed. */
  static init(): Project {
    const project = new Project(join(mkdtempSync(join(tmpdir(), 'inferno-consumer-')), 'app'));
    mkdirSync(project.folder);
    const { status, stdout, stderr } = project.attempt(resolve('node_modules/.bin/cdk8s'), 'init', 'typescript-app');
    // init ends with `cdk8s import k8s`, which downloads from GitHub; where that can't be reached, all the rest is there
    if (status !== 0 && !stderr.includes('Command failed: npm run import')) {
      throw new Error(`cdk8s init ended with ${status}\n${stdout}\n${stderr}`);
    }
    return project;
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** Runs a command and returns what it printed. @throws when it fails, with all that it said */
  run(command: string, ...parameters: readonly string[]): string {
    const { status, stdout, stderr } = this.attempt(command, ...parameters);
    if (status !== 0) {
      throw new Error(`${[command, ...parameters].join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
    }
    return stdout;
  }

  attempt(command: string, ...parameters: readonly string[]): Outcome {
    const { status, stdout, stderr, error } = spawnSync(command, parameters, {
      cwd: this.folder,
      env: environment,
      encoding: 'utf8',
      timeout: 300_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (error) {
      throw error;
    }
    return { status, stdout, stderr };
  }
}
