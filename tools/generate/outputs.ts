import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { apiReference } from './api-reference';
import { crdJson, crdYaml, expandCrd } from './crd';
import { withEngines } from './engines';
import { editorSchema } from './json-schema';
import { kubernetesTypes } from './kubernetes-types';
import { l1Construct } from './l1';
import { resourceTypes } from './resource-types';
import { compiledRules, type LeftToEngine } from './rules';
import type { CustomResourceDefinition } from './schema';

/**
 * Everything that is generated: the same sources give the same bytes.
 * @param sources paths of the files
 * @returns texts by path from the root; rules and patterns that are left to the engines
 */
export function generate(sources: { readonly crd: string; readonly kubernetes: string }): {
  readonly crd: CustomResourceDefinition;
  readonly files: ReadonlyMap<string, string>;
  readonly left: readonly LeftToEngine[];
} {
  const kubernetes = JSON.parse(readFileSync(sources.kubernetes, 'utf8'));
  const crd = expandCrd(kubernetes, withEngines(parse(readFileSync(sources.crd, 'utf8'))));
  const notice = 'Generated from crds/src by npm run generate. Do not edit.';
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
