import crd from '../../imports/inferenceservice.crd.json';
import { formatPath, type Manifest, synthesize } from '../../lib/composition';
import type { CustomResourceDefinition, JsonObject } from '../../lib/composition/schema';
import { inferenceServiceComposition } from '../../lib/inference';
import { type ControlPlane, startControlPlane, type Status } from '../../tools/local-cluster';
import { likelyResource, without } from '../parity/likely';
import { Random } from '../parity/random';
import { lost } from './lost';
import { collection } from './objects';

const SEED = Number(process.env['RENDER_SEED'] ?? 20_260_301);
const COUNT = 600 * Number(process.env['RENDER_FACTOR'] ?? 1);
const IN_FLIGHT = 6;
/** Times that what is refused is left out of a resource, until it is admitted. */
const REPAIRS = 8;
/** What the API server leaves out and means just that. */
const EMPTY = / was rendered as (\[\]|\{\}|false|""|0) and is (undefined|null)$/;

let cluster: ControlPlane | undefined;

beforeAll(async () => {
  cluster = await startControlPlane();
}, 120_000);
afterAll(async () => cluster?.stop());

/** Renders the resource once it is admitted; undefined where it cannot be mended. */
function render(first: JsonObject): { resource: JsonObject; manifests: readonly Manifest[] } | undefined {
  let resource: JsonObject | undefined = first;
  for (let repair = 0; repair <= REPAIRS && resource !== undefined; repair++) {
    const synthesis = synthesize(inferenceServiceComposition, resource);
    if (synthesis.valid) return { resource, manifests: synthesis.manifests };
    resource = without(
      resource,
      synthesis.errors.map(({ path }) => formatPath(path)),
    );
  }
  return undefined;
}

/** What the API server has against a manifest. */
async function complaints(controlPlane: ControlPlane, manifest: Manifest): Promise<readonly string[]> {
  const kind = inferenceServiceComposition.children.find((child) => child.kind === manifest.kind);
  if (kind === undefined) return [`${manifest.kind} is not among the children of the composition`];
  const path = `${collection(kind, 'default')}/${manifest.metadata.name}`;
  const query = 'fieldManager=inferno&fieldValidation=Strict&force=true&dryRun=All';
  const answer = await controlPlane.request<Status>('PATCH', `${path}?${query}`, manifest);
  return answer.status === 201
    ? [...answer.warnings, ...lost(manifest, answer.body).filter((line) => !EMPTY.test(line))]
    : [`${answer.status} ${answer.body.message}`];
}

test('everything that is admitted offline renders to what the API server takes as it is and without a warning', async () => {
  const controlPlane = cluster;
  if (controlPlane === undefined) throw new Error('the control plane did not start');
  const schema = (crd as CustomResourceDefinition).spec.versions[0]?.schema?.openAPIV3Schema ?? {};
  const random = new Random(SEED);
  const resources = Array.from({ length: COUNT }, () => likelyResource(schema, random));
  const found: string[] = [];
  let rendered = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let first = resources[next++]; first !== undefined; first = resources[next++]) {
      const service = render(first);
      if (service === undefined) continue;
      rendered++;
      for (const manifest of service.manifests) {
        for (const complaint of await complaints(controlPlane, manifest)) {
          found.push(`${manifest.kind}: ${complaint}\n  ${JSON.stringify(service.resource)}`);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  process.stderr.write(`seed ${SEED}: ${rendered} of ${COUNT} resources rendered, ${found.length} complaints\n`);
  expect(found.slice(0, 10)).toEqual([]);
  expect(rendered).toBeGreaterThan(COUNT * 0.9);
}, 300_000);
