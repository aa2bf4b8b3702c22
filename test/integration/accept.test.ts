import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { ChildKind, Manifest } from '../../lib/composition';
import { findingText, formatPath, synthesize } from '../../lib/composition';
import { inferenceServiceComposition } from '../../lib/inference';
import { badCases, goodCases } from '../cases';
import { type ControlPlane, type Response, startControlPlane, type Status } from '../../tools/local-cluster';
import { lost } from './lost';
import { apply, collection, makeNamespaces } from './objects';

const root = join(__dirname, '..', '..');
const crd = join(root, 'crds', 'inferenceservice.yaml');
const examples = join(root, 'examples');
const samples = readdirSync(examples).filter((file) => file.endsWith('.yaml'));
const services: ChildKind = {
  apiVersion: 'inference.inferno.io/v1alpha1',
  kind: 'InferenceService',
  plural: 'inferenceservices',
};

jest.setTimeout(60_000);

let controlPlane: ControlPlane;

beforeAll(async () => {
  controlPlane = await startControlPlane({ crds: [crd] });
  await makeNamespaces(
    controlPlane,
    new Set(goodCases.map(({ resource }) => resource.metadata.namespace ?? 'default')),
  );
});

afterAll(async () => {
  // Undefined where it did not start.
  await controlPlane?.stop();
});

for (const { title, resource } of goodCases) {
  test(`${title}: admitted, and all children taken as rendered`, async () => {
    await admitAndApply(resource);
  });
}

for (const { title, resource, field } of badCases) {
  test(`${title}: refused by the API server and offline, naming ${field}`, async () => {
    const answer = await create(resource, 'dryRun=All');
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect((answer.body as Status).message).toContain(field);

    // As it would come out of a file: without the fields that are undefined.
    const synthesis = synthesize(inferenceServiceComposition, JSON.parse(JSON.stringify(resource)));
    const errors = synthesis.valid ? [] : synthesis.errors;
    expect(errors.map(({ path }) => formatPath(path))).toEqual(
      expect.arrayContaining([expect.stringContaining(field)]),
    );
    expect(errors.map(({ message }) => message.trim())).not.toContain('');
  });
}

test('there are samples to try, and at least 40 cases', () => {
  expect(samples.length).toBeGreaterThan(0);
  expect(goodCases.length).toBeGreaterThanOrEqual(40);
});

test('no two cases share a name, so that no case hides another', () => {
  const names = goodCases.map(({ resource }) => `${resource.metadata.namespace}/${resource.metadata.name}`);
  expect(names).toEqual([...new Set(names)]);
});

for (const sample of samples) {
  test(`the sample ${sample}: admitted, and all children taken as rendered`, async () => {
    const namespace = `sample-${sample.replace(/[^a-z0-9]+/g, '-')}`;
    await makeNamespaces(controlPlane, [namespace]);
    const documents = parseAllDocuments(readFileSync(join(examples, sample), 'utf8')).map(
      (document) => document.toJS() as Manifest | null,
    );
    const resources = documents.filter((document) => document?.kind === 'InferenceService');
    expect(resources).not.toEqual([]);
    for (const resource of resources) {
      await admitAndApply({ ...resource, metadata: { ...resource?.metadata, namespace } });
    }
  });

  test(`the sample ${sample}: kubectl applies what the command line renders from it`, async () => {
    const cli = join(root, 'build', 'bin', 'inferno.cjs');
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'render', '-f', join(examples, sample)]);
    const namespaces = parseAllDocuments(stdout).map((document) => (document.toJS() as Manifest).metadata.namespace);
    await makeNamespaces(
      controlPlane,
      namespaces.filter((name) => name !== undefined),
    );
    const applied = await controlPlane.kubectl(['apply', '--validate=strict', '-f', '-'], { input: stdout });
    // kubectl writes the API server's warnings there.
    expect(applied.stderr).toBe('');
    expect(applied.stdout).toMatch(/^deployment\.apps\/\S+ (created|configured)$/m);
  });
}

function create(resource: unknown, query = ''): Promise<Response<Manifest | Status>> {
  const { namespace = 'default' } = (resource as Manifest).metadata;
  return controlPlane.request('POST', `${collection(services, namespace)}?fieldValidation=Strict&${query}`, resource);
}

/** The API server admits the resource with the same defaults as we do offline, and has every value that we rendered. */
async function admitAndApply(resource: unknown): Promise<void> {
  const admitted = await create(resource);
  expect(admitted).toMatchObject({ status: 201, warnings: [] });

  const synthesis = synthesize(inferenceServiceComposition, resource);
  if (!synthesis.valid) throw new Error(synthesis.errors.map(findingText).join('\n'));
  expect(synthesis.resource['spec']).toEqual((admitted.body as Manifest)['spec']);

  expect(synthesis.manifests.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Deployment', 'Service']));
  for (const manifest of synthesis.manifests) {
    const kind = inferenceServiceComposition.children.find((child) => child.kind === manifest.kind);
    if (kind === undefined) throw new Error(`${manifest.kind} is not among the children of the composition`);
    const answer = await apply(controlPlane, kind, manifest);
    if (answer.status !== 201) {
      throw new Error(
        `${manifest.kind} ${manifest.metadata.name}: ${answer.status} ${(answer.body as Status).message}`,
      );
    }
    expect(answer.warnings).toEqual([]);
    const path = `${collection(kind, manifest.metadata.namespace ?? 'default')}/${manifest.metadata.name}`;
    const live = await controlPlane.request('GET', path);
    expect(lost(manifest, live.body)).toEqual([]);
  }
}
