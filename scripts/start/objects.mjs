// Reading and writing objects on the control plane that npm start shows.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** @typedef {import('../../test/cluster/index.ts').ControlPlane} ControlPlane */
/** @typedef {import('./tree.mjs').Json} Json */

/**
 * The objects in the YAML files of a folder, in the order of the files' names.
 *
 * @param {string} folder
 * @returns {readonly Json[]}
 */
export function readObjects(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), 'utf8')).map((document) => document.toJS()))
    .filter((object) => object !== null);
}

/**
 * Applies objects as one would by hand, and gives what kubectl and, through it, the API server had to complain about.
 *
 * @param {ControlPlane} controlPlane
 * @param {readonly Json[]} objects
 * @returns {Promise<readonly string[]>}
 */
export async function apply(controlPlane, objects) {
  const list = { apiVersion: 'v1', kind: 'List', items: objects };
  const parameters = ['apply', '--server-side', '--field-manager=inferno', '--validate=strict', '-f', '-'];
  try {
    const { stderr } = await controlPlane.kubectl(parameters, { input: JSON.stringify(list) });
    return lines(stderr);
  } catch (error) {
    return lines(error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error));
  }
}

/**
 * Makes what objects need but do not bring: namespaces, and what the names in their pod templates stand for.
 *
 * @param {ControlPlane} controlPlane
 * @param {readonly Json[]} objects
 */
export async function makeSurroundings(controlPlane, objects) {
  await createAll(
    controlPlane,
    objects.map((object) => ['/api/v1/namespaces', { metadata: { name: namespaceOf(object) } }]),
  );
  await createAll(controlPlane, objects.flatMap(neededBy));
}

/**
 * @param {Json} object
 * @returns {readonly (readonly [collection: string, body: Json])[]}
 */
function neededBy(object) {
  const { priorityClassName, runtimeClassName, serviceAccountName } = object.spec?.template?.spec ?? {};
  const named = (/** @type {string} */ name, fields = {}) => ({ metadata: { name }, ...fields });
  /** @type {[string, Json][]} */
  const needed = [
    [`/api/v1/namespaces/${namespaceOf(object)}/serviceaccounts`, named(serviceAccountName)],
    ['/apis/scheduling.k8s.io/v1/priorityclasses', named(priorityClassName, { value: 1000 })],
    ['/apis/node.k8s.io/v1/runtimeclasses', named(runtimeClassName, { handler: runtimeClassName })],
  ];
  return needed.filter(([, { metadata }]) => metadata.name !== undefined);
}

/**
 * Creates objects that are not there yet, each one once.
 *
 * @param {ControlPlane} controlPlane
 * @param {readonly (readonly [collection: string, body: Json])[]} wanted
 */
async function createAll(controlPlane, wanted) {
  const unique = new Map(
    wanted.map(([collection, body]) => [`${collection}/${body.metadata.name}`, { collection, body }]),
  );
  await Promise.all(
    [...unique.values()].map(async ({ body, collection }) => {
      const answer = await controlPlane.request('POST', collection, body);
      if (answer.status !== 201 && answer.status !== 409) {
        throw new Error(`POST ${collection}: ${/** @type {Json} */ (answer.body).message}`);
      }
    }),
  );
}

/** @param {Json} object @returns {string} */
function namespaceOf({ metadata }) {
  return metadata.namespace ?? 'default';
}

const inference = '/apis/inference.inferno.io/v1alpha1/inferenceservices';
const childCollections = [
  '/apis/apps/v1/deployments',
  '/api/v1/services?labelSelector=app.kubernetes.io/managed-by=inferno',
  '/apis/autoscaling/v2/horizontalpodautoscalers',
];

/**
 * What there is on the API server.
 *
 * @param {ControlPlane} controlPlane
 * @returns {Promise<import('./tree.mjs').Found>}
 */
export async function find(controlPlane) {
  const [services, pods, ...children] = await Promise.all(
    [inference, '/api/v1/pods', ...childCollections].map((path) => listAll(controlPlane, path)),
  );
  return { services: services ?? [], pods: pods ?? [], children: children.flat() };
}

/**
 * Whether the controllers have seen all Deployments and made their pods, or said why they can't.
 *
 * @param {import('./tree.mjs').Found} found
 */
export function isSettled({ children, pods }) {
  return children
    .filter(({ kind }) => kind === 'Deployment')
    .every(({ metadata, spec, status }) => {
      const own = pods.filter(
        (pod) => pod.metadata.labels?.app === metadata.name && pod.metadata.namespace === metadata.namespace,
      );
      const failed = status?.conditions?.some((/** @type {Json} */ { type }) => type === 'ReplicaFailure');
      return status?.observedGeneration === metadata.generation && (failed || own.length >= spec.replicas);
    });
}

/**
 * @param {ControlPlane} controlPlane
 * @param {string} path
 * @returns {Promise<readonly Json[]>}
 */
async function listAll(controlPlane, path) {
  const { body, status } = await controlPlane.request('GET', path);
  const { items, kind, message, apiVersion } = /** @type {Json} */ (body);
  if (status !== 200) {
    throw new Error(`GET ${path}: ${message}`);
  }
  // items of a list come without their kind
  return items.map((/** @type {Json} */ item) => ({ apiVersion, kind: kind.replace(/List$/, ''), ...item }));
}

/** @param {string} text */
function lines(text) {
  return text.split('\n').filter((line) => line.trim() !== '');
}
