import type { ChildKind, Composition } from '../../lib/composition';

/** The kind of a composition's resources, in the version that is stored. @throws Error where the CRD has no version */
export function resourceKindOf({ crd }: Composition): ChildKind {
  const { group, names, versions } = crd.spec;
  const version = versions.find(({ storage }) => storage) ?? versions[0];
  if (version === undefined) throw new Error(`the CRD of ${names.kind} has no version`);
  return { apiVersion: `${group}/${version.name}`, kind: names.kind, plural: names.plural };
}
