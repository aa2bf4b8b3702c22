import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type CustomResourceDefinition, CrdSchema, type JsonObject } from '../../lib/composition/schema';
import { type ControlPlane, startControlPlane } from '../../tools/local-cluster';
import { inferenceServiceCrd, inferenceServiceSchema } from '../../lib/inference/crd';
import { compare, type Report } from '../parity/compare';
import { EVERYTHINGS } from '../parity/everythings';
import { generate } from '../parity/generate';
import { Random } from '../parity/random';
import { SERVICES } from '../parity/services';

const ROOT = join(__dirname, '../..');
const EVERYTHING = join(ROOT, 'test/parity/everything.crd.yaml');
const SEED = Number(process.env['PARITY_SEED'] ?? 20_260_101);
/** How many times the usual number of resources. */
const FACTOR = Number(process.env['PARITY_FACTOR'] ?? 1);

let cluster: ControlPlane | undefined;

beforeAll(async () => {
  cluster = await startControlPlane({ crds: [join(ROOT, 'imports/inferenceservice.crd.json'), EVERYTHING] });
}, 120_000);
afterAll(async () => cluster?.stop());

async function judge(
  crd: CustomResourceDefinition,
  judged: CrdSchema,
  seeds: readonly JsonObject[],
  count: number,
): Promise<Report> {
  const random = new Random(SEED);
  const [version] = crd.spec.versions;
  const schema = version?.schema?.openAPIV3Schema ?? {};
  const resources = Array.from({ length: count * FACTOR }, () => generate(seeds, schema, random));
  const path = `/apis/${crd.spec.group}/${version?.name}/namespaces/default/${crd.spec.names.plural}`;
  const report = await compare(judged, resources, `${path}?dryRun=All&fieldValidation=Strict`, async (url, body) => {
    if (cluster === undefined) throw new Error('the control plane did not start');
    return cluster.request<JsonObject>('POST', url, body);
  });
  const { accepted, refused, disagreements, milliseconds } = report;
  process.stderr.write(
    `${crd.spec.names.kind}: seed ${SEED}, ${resources.length} resources, ${accepted} accepted, ${refused} refused, ` +
      `${disagreements.length} disagreements, ${(milliseconds / 1000).toFixed(1)} s\n`,
  );
  return report;
}

/** What a person needs to see of disagreements. */
const describe = ({ disagreements }: Report): readonly string[] =>
  disagreements.slice(0, 10).map(({ reason, resource }) => `${reason}\n  ${JSON.stringify(resource)}`);

test('random InferenceServices get the same result and the same defaults offline as from the API server', async () => {
  const report = await judge(inferenceServiceCrd, inferenceServiceSchema, SERVICES, 2_500);
  expect(describe(report)).toEqual([]);
  // Both results must be there in number, or the comparison shows nothing.
  expect(Math.min(report.accepted, report.refused)).toBeGreaterThan(500);
}, 300_000);

test('random resources of a CRD with every schema feature get the same result and the same defaults', async () => {
  const crd = parse(readFileSync(EVERYTHING, 'utf8')) as CustomResourceDefinition;
  const report = await judge(crd, new CrdSchema(crd), EVERYTHINGS, 1_500);
  expect(describe(report)).toEqual([]);
  expect(Math.min(report.accepted, report.refused)).toBeGreaterThan(200);
}, 300_000);
