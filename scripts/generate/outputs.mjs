// @ts-check
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { apiReference } from './api-reference.mjs';
import { crdJson, crdYaml, expandCrd } from './crd.mjs';
import { withEngines } from './engines.ts';
import { editorSchema } from './json-schema.mjs';
import { kubernetesTypes } from './kubernetes-types.mjs';
import { l1Construct } from './l1.mjs';
import { resourceTypes } from './resource-types.mjs';
import { compiledRules } from './rules.ts';

/** @import { CustomResourceDefinition } from './schema.d.ts' */

/**
 * Everything that is generated: the same sources give the same bytes.
 * @param {{ crd: string, kubernetes: string }} sources paths of the files
 * @returns {{
 *   crd: CustomResourceDefinition,
 *   files: ReadonlyMap<string, string>,
 *   left: readonly import('./rules.ts').LeftToEngine[],
 * }} texts by path from the root; rules and patterns that are left to the engines
 */
export function generate(sources) {
  const kubernetes = JSON.parse(readFileSync(sources.kubernetes, 'utf8'));
  const crd = expandCrd(kubernetes, withEngines(parse(readFileSync(sources.crd, 'utf8'))));
  const notice = 'Generated from crds/src by scripts/generate.mjs (npm run generate). Do not edit.';
  const { module, left } = compiledRules(crd, notice);
  const files = new Map([
    ['crds/inferenceservice.yaml', crdYaml(crd, notice)],
    ['crds/inferenceservice.schema.json', editorSchema(kubernetes, crd, notice)],
    ['imports/inferenceservice.crd.json', crdJson(crd)],
    ['imports/k8s.ts', kubernetesTypes(kubernetes, notice)],
    ['imports/inferenceservice.rules.ts', module],
    ['imports/inference-service.ts', resourceTypes(kubernetes, crd, notice)],
    [`imports/${crd.spec.group}.ts`, l1Construct(kubernetes, crd, notice)],
    ['docs/api.md', apiReference(kubernetes, crd, notice)],
  ]);
  return { crd, files, left };
}
