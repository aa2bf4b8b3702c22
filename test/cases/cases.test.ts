import crd from '../../imports/inferenceservice.crd.json';
import { goodCases } from '.';

/** Objects of our own, whose fields the table has to cover too; the others have Kubernetes' shapes. */
const OWN = ['model', 'replicas', 'resources', 'autoscaling', 'sharedMemory', 'drain', 'podMetadata', 'podTemplate'];

const specs: readonly { readonly [field: string]: unknown }[] = goodCases.map(({ resource }) => ({ ...resource.spec }));

test('the table of good resources uses every field of the spec and every engine', () => {
  const specSchemas = crd.spec.versions.map(({ schema }) => schema.openAPIV3Schema.properties.spec.properties);
  const fields = specSchemas.flatMap((properties) =>
    Object.entries(properties).flatMap(([name, schema]) => [
      [name],
      ...(OWN.includes(name) && 'properties' in schema
        ? Object.keys(schema.properties).map((inner) => [name, inner])
        : []),
    ]),
  );
  const unused = fields.filter((path) => specs.every((spec) => valueAt(spec, path) === undefined));
  expect(unused.map((path) => path.join('.'))).toEqual([]);
  expect(fields.length).toBeGreaterThan(50);

  const engines = specSchemas.flatMap(({ model }) => model.properties.framework.enum);
  expect(engines.filter((engine) => specs.every((spec) => valueAt(spec, ['model', 'framework']) !== engine))).toEqual(
    [],
  );
});

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null ? (at as { readonly [field: string]: unknown })[step] : undefined,
    value,
  );
}
