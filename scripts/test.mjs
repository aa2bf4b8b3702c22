// Runs the tests: node scripts/test.mjs PROJECT... [-- JEST OPTION...], a project being unit, integration, package or e2e.
// The last runs in a network namespace of its own.
// Each leaves its results in coverage/PROJECT/results.json. Unit and integration tests together have to cover the
// lines of the sources as far as `leastCoverage` says.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lineCoverage } from './coverage.mjs';
import { inNamespace, namespaceRefusal } from './namespace.mjs';

const leastCoverage = 80;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const split = process.argv.indexOf('--');
const projects = process.argv.slice(2, split < 0 ? undefined : split).filter((argument) => isProject(argument));
const options = process.argv.slice(2).filter((argument) => argument !== '--' && !isProject(argument));
const measured = options.length === 0 && projects.includes('unit') && projects.includes('integration');

const refusal = projects.includes('e2e') ? namespaceRefusal({ who: 'each end-to-end test runs a cluster' }) : undefined;
if (refusal !== undefined) {
  console.error(`error: ${refusal}`);
  process.exit(1);
}
if (!run(process.execPath, ['scripts/build.mjs'])) {
  process.exit(1);
}
if (projects.includes('e2e')) {
  // where the tests run there is no network to download anything from
  const { require } = await import('./start/typescript.mjs');
  const { prepareCluster } = require(fileURLToPath(new URL('../tools/local-cluster/index.ts', import.meta.url)));
  await prepareCluster();
}
const failed = projects.filter((project) => !test(project));
if (measured && !coverageSuffices()) {
  failed.push('coverage');
}
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`);
  process.exit(1);
}

function isProject(argument) {
  return ['unit', 'integration', 'package', 'e2e'].includes(argument);
}

function test(project) {
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
    // Jest takes no notice of testTimeout in a project of its own
    `--testTimeout=${{ unit: 30_000, integration: 300_000, package: 600_000, e2e: 300_000 }[project]}`,
    // a test takes minutes there, so each is told as it ends
    ...(project === 'e2e'
      ? ['--reporters=default', '--reporters=<rootDir>/scripts/progress.mjs', '--verbose=false']
      : []),
    '--json',
    `--outputFile=coverage/${project}/results.json`,
    ...(measured
      ? ['--coverage', '--coverageReporters=json', `--coverageDirectory=coverage/${project}`]
      : ['--coverage=false']),
    ...options,
  ];
  if (project !== 'e2e') {
    return run(process.execPath, parameters);
  }
  const { file, args } = inNamespace(process.execPath, parameters);
  return run(file, args);
}

function run(command, parameters) {
  const { status, error } = spawnSync(command, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) {
    throw error;
  }
  return status === 0;
}

function shortened(ranges) {
  return ranges.slice(0, 8).join(', ') + (ranges.length > 8 ? ' …' : '');
}

function coverageSuffices() {
  const reports = projects
    .map((project) => `coverage/${project}/coverage-final.json`)
    .filter((file) => existsSync(file));
  const { files, percent } = lineCoverage(reports.map((file) => JSON.parse(readFileSync(file, 'utf8'))));
  console.log('\ncovered lines');
  for (const file of files.filter((entry) => entry.percent < leastCoverage)) {
    console.log(`${file.percent.toFixed(1).padStart(6)} %  ${file.path}  not: ${shortened(file.missing)}`);
  }
  console.log(`${percent.toFixed(1).padStart(6)} %  all ${files.length} files; at least ${leastCoverage} % is needed`);
  return percent >= leastCoverage;
}
