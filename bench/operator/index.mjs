import { operators } from './process.mjs';
import { growth, keeping, STORM, storm, USUAL } from './scenarios.mjs';

/** What an operator may cost against the mark. */
const AT_MOST = 2;
/** No event loop may be blocked for so long, or the lease is not renewed in time under load. */
const LONGEST_BLOCK_MS = 100;

/**
 * Inferno's operator beside the mark, a controller-runtime operator in Go that does the same job, each on a real API
 * server of its own.
 *
 * @param {{ resources?: readonly number[] }} options further numbers of resources at which to measure
 */
export async function operator({ resources = [] } = {}) {
  const programs = await operators();
  const figures = [...usual(await each(programs, 'keeping', keeping))];
  const held = await each(programs, 'storm, controller-manager held', (program) => storm(program, { held: true }));
  const free = await each(programs, 'storm', (program) => storm(program, { held: false }));
  figures.push(
    against(`${STORM} resources at once, until they are complete`, 's', held, 'seconds', 1),
    against('… with the controller-manager at work', 's', free, 'seconds', 1),
    block(
      'longest block of the event loop meanwhile',
      Math.max(held.inferno.longestBlockMs, free.inferno.longestBlockMs),
    ),
  );
  for (const count of resources) {
    figures.push(...grown(count, await each(programs, `${count} resources`, (program) => growth(program, count))));
  }
  return figures;
}

function usual(of) {
  return [
    against('requests per new resource with its autoscaler', '', of, 'requestsPerCreate', 1),
    against('requests per changed version', '', of, 'requestsPerChange', 1),
    against(`CPU per new resource, the first ${USUAL} of a process`, 'ms', of, 'cpuPerCreateMs', AT_MOST),
    against(`CPU per changed version, ${USUAL} of them`, 'ms', of, 'cpuPerChangeMs', AT_MOST),
    against('… once more', 'ms', of, 'cpuPerLaterChangeMs', AT_MOST),
    against(`resident memory after that, with ${USUAL} resources`, 'MB', of, 'residentMb', AT_MOST),
    against('… at its peak', 'MB', of, 'peakMb', AT_MOST),
    against('connections to the API server', '', of, 'connections'),
    against('requests in 30 s without a change', '', of, 'idleRequests', 1),
    against('CPU in these 30 s', 'ms', of, 'idleCpuMs'),
    against('drift put right after', 'ms', of, 'driftMs', 1),
    against('from SIGTERM to the end', 'ms', of, 'exitMs'),
    against(`restart over ${USUAL} resources: requests`, '', of, 'restartRequests', 1),
    against('… of them writes', '', of, 'restartWrites', 1),
    against('… quiet after', 'ms', of, 'restartMs', 1),
    against('… CPU', 'ms', of, 'restartCpuMs', AT_MOST),
    against('… resident memory', 'MB', of, 'restartResidentMb', AT_MOST),
    block('longest block of the event loop', of.inferno.longestBlockMs),
  ];
}

function grown(count, of) {
  const title = `${count.toLocaleString('en')} resources`;
  return [
    against(`${title}: requests per new resource`, '', of, 'requestsPerCreate', 1),
    against('… CPU per new resource', 'ms', of, 'cpuPerCreateMs', AT_MOST),
    against('… resident memory', 'MB', of, 'residentMb', AT_MOST),
    against('… restart: requests', '', of, 'restartRequests', 1),
    against('… restart: writes', '', of, 'restartWrites', 1),
    against('… restart: CPU', 'ms', of, 'restartCpuMs', AT_MOST),
    against('… restart: resident memory', 'MB', of, 'restartResidentMb', AT_MOST),
    block('… longest block of the event loop', of.inferno.longestBlockMs),
    block('… longest block at the restart', of.inferno.restartLongestBlockMs),
  ];
}

/** A figure of ours with the mark's as its note, and as its aim where there is one. */
function against(name, unit, { inferno, mark }, field, factor) {
  return {
    name,
    unit,
    value: round(inferno[field]),
    ...(factor === undefined ? {} : { aim: round(mark[field] * factor) }),
    note: `mark: ${round(mark[field])}${unit === '' ? '' : ` ${unit}`}`,
    mark: round(mark[field]),
  };
}

function block(name, value) {
  return { name, unit: 'ms', value: round(value), aim: LONGEST_BLOCK_MS };
}

function round(value) {
  return Number(value.toPrecision(3));
}

async function each(programs, title, scenario) {
  const results = {};
  for (const [name, program] of Object.entries(programs)) {
    console.error(`  ${title}: ${name} …`);
    results[name] = await scenario(program);
  }
  return results;
}
