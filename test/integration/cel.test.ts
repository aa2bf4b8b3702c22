import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject } from '../../lib/composition/schema';
import { type ControlPlane, startControlPlane, type Status } from '../../tools/local-cluster';
import { evaluateOffline, EXPRESSIONS, EXPRESSIONS_CRD, resourceOf, SPECS } from '../parity/expressions';

const folder = mkdtempSync(join(tmpdir(), 'inferno-cel-'));
let cluster: ControlPlane | undefined;

beforeAll(async () => {
  const file = join(folder, 'expressions.json');
  writeFileSync(file, JSON.stringify(EXPRESSIONS_CRD));
  cluster = await startControlPlane({ crds: [file] });
}, 120_000);

afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The numbers of the expressions that fail, and of those that give another text than the wanted one. */
async function online(resource: JsonObject): Promise<{ readonly failed: Set<number>; readonly other: Set<number> }> {
  const path = '/apis/parity.example.com/v1/namespaces/default/expressions?dryRun=All&fieldValidation=Strict';
  const answer = await cluster?.request<Status>('POST', path, resource);
  const result = { failed: new Set<number>(), other: new Set<number>() };
  for (const { message = '' } of answer?.body.details?.causes ?? []) {
    const [, before = '', index] = /^Invalid value: (.*?)(\d+) failed$/s.exec(message) ?? [];
    if (index === undefined) throw new Error(`not understood: ${message}`);
    (before === '' ? result.other : result.failed).add(Number(index));
  }
  return result;
}

test('CEL expressions give the same results offline as in the API server, or fail on both sides', async () => {
  const differences: string[] = [];
  let values = 0;
  for (const spec of SPECS) {
    const ours = evaluateOffline(spec);
    const theirs = await online(
      resourceOf(
        spec,
        ours.map((text) => text ?? ''),
      ),
    );
    for (const [index, text] of ours.entries()) {
      if (text !== undefined) values++;
      const same =
        text === undefined ? theirs.failed.has(index) : !theirs.failed.has(index) && !theirs.other.has(index);
      if (!same) differences.push(`${EXPRESSIONS[index]} of ${JSON.stringify(spec)}: offline ${text ?? 'fails'}`);
    }
  }
  expect(differences).toEqual([]);
  expect(values).toBeGreaterThan(3000);
}, 120_000);
