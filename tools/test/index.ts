// Runs the tests: tools/test PROJECT... [-- JEST OPTION...], a project being unit, integration, package or e2e.
// The last runs in a network namespace of its own.
// Each leaves its results in coverage/PROJECT/results.json. Unit and integration tests together have to cover the
// lines of the sources as far as `leastCoverage` says.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareCluster } from '../local-cluster';
import { inNamespace, namespaceRefusal } from '../namespace.mjs';
import { buildIsCurrent } from '../package/current';
import { lineCoverage } from './coverage';

const leastCoverage = 80;
/** Milliseconds that a test may take, by project: Jest takes no notice of testTimeout in a project of its own. */
const timeouts = { unit: 30_000, integration: 300_000, package: 600_000, e2e: 300_000 };
type Project = keyof typeof timeouts;

function isProject(argument: string): argument is Project {
  return Object.hasOwn(timeouts, argument);
}

function test(project: Project, measured: boolean, options: readonly string[]): boolean {
  console.log(`\n${project} tests`);
  rmSync(`coverage/${project}`, { recursive: true, force: true });
  mkdirSync(`coverage/${project}`, { recursive: true });
  const parameters = [
    // Jest needs the flag to load ES modules such as those of the Kubernetes client
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    `--selectProjects=${project}`,
    // a control plane and the file that uses it are enough for two cores
    ...(project === 'unit' ? [] : ['--maxWorkers=1']),
    `--testTimeout=${timeouts[project]}`,
    // a test takes minutes there, so each is reported as it ends
    ...(project === 'e2e'
      ? ['--reporters=default', '--reporters=<rootDir>/tools/test/progress.mts', '--verbose=false']
      : []),
    '--json',
    `--outputFile=coverage/${project}/results.json`,
    ...(measured
      ? ['--coverage', '--coverageReporters=json', `--coverageDirectory=coverage/${project}`]
      : ['--coverage=false']),
    ...options,
  ];
  if (project !== 'e2e') return run(process.execPath, parameters);
  const { file, args } = inNamespace(process.execPath, parameters);
  return run(file, args);
}

function run(command: string, parameters: readonly string[]): boolean {
  const { status, error } = spawnSync(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  return status === 0;
}

function coverageSuffices(projects: readonly Project[]): boolean {
  const reports = projects
    .map((project) => `coverage/${project}/coverage-final.json`)
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const { files, percent } = lineCoverage(reports);
  console.log('\ncovered lines');
  for (const file of files.filter((entry) => entry.percent < leastCoverage)) {
    const missing = file.missing.slice(0, 12).join(', ') + (file.missing.length > 12 ? ' …' : '');
    console.log(`${file.percent.toFixed(1).padStart(6)} %  ${file.path}  not: ${missing}`);
  }
  console.log(`${percent.toFixed(1).padStart(6)} %  all ${files.length} files; at least ${leastCoverage} % is needed`);
  return percent >= leastCoverage;
}

/** Returns what failed. */
async function main(args: readonly string[]): Promise<readonly string[]> {
  const split = args.indexOf('--');
  const projects = args.slice(0, split < 0 ? undefined : split).filter(isProject);
  const options = args.filter((argument) => argument !== '--' && !isProject(argument));
  const measured = options.length === 0 && projects.includes('unit') && projects.includes('integration');
  const withCluster = projects.includes('e2e');
  const refusal = withCluster ? namespaceRefusal({ who: 'each end-to-end test runs a cluster' }) : undefined;
  if (refusal !== undefined) throw new Error(refusal);
  if (!buildIsCurrent() && !run(process.execPath, ['--import', 'tsx', 'tools/package/build.ts'])) return ['build'];
  // where those tests run there is no network to download anything from
  if (withCluster) await prepareCluster();
  const failed: string[] = projects.filter((project) => !test(project, measured, options));
  if (measured && !coverageSuffices(projects)) failed.push('coverage');
  return failed;
}

process.chdir(join(__dirname, '../..'));
main(process.argv.slice(2)).then(
  (failed) => {
    if (failed.length === 0) return;
    console.error(`\nfailed: ${failed.join(', ')}`);
    process.exitCode = 1;
  },
  (error: unknown) => {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);
