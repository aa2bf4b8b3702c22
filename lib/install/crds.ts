import type { CustomResourceDefinition, Manifest } from '../composition';
import { crdLabels } from './names';

/** The annotation of a CustomResourceDefinition that lets its deletion pass. */
export const ALLOW_DELETION_ANNOTATION = 'inferno.io/allow-deletion';
/** What keeps a policy while somebody deletes it together with what it protects. */
export const KEEP_FINALIZER = 'inferno.io/keep';

/** What makes the usual tools leave an object when they remove all others: Helm, Argo CD, Flux. */
export const keepAnnotations = {
  'helm.sh/resource-policy': 'keep',
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/**
 * A definition as it is installed, and what keeps it. Deleting a definition deletes its resources, and with them
 * all that they own, so that has to be meant: it is refused unless an annotation allows it. `kubectl delete -f` would take
 * the policy away with all the rest, and find the definition without protection when it is run again; a finalizer keeps
 * the policy in force until somebody removes that too.
 */
export function keptCrd(crd: CustomResourceDefinition): readonly Manifest[] {
  const { name } = crd.metadata;
  const { kind, plural } = crd.spec.names;
  const metadata = { labels: crdLabels, annotations: keepAnnotations };
  const policy = { ...metadata, name: `keep-${name}`, finalizers: [KEEP_FINALIZER] };
  const own: Manifest['metadata'] = crd.metadata;
  return [
    {
      ...crd,
      metadata: {
        ...own,
        labels: { ...own.labels, ...crdLabels },
        annotations: { ...own.annotations, ...keepAnnotations },
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: policy,
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: ['apiextensions.k8s.io'],
              apiVersions: ['*'],
              operations: ['DELETE'],
              resources: ['customresourcedefinitions'],
              scope: '*',
            },
          ],
          // These and the scope as the API server would fill them in: the next apply is to find nothing to change.
          matchPolicy: 'Equivalent',
          namespaceSelector: {},
          objectSelector: {},
        },
        // Not resourceNames, as the deletion of a whole collection names none.
        matchConditions: [{ name: 'this-definition', expression: `oldObject.metadata.name == '${name}'` }],
        validations: [
          {
            expression: `oldObject.metadata.?annotations['${ALLOW_DELETION_ANNOTATION}'].orValue('') == 'true'`,
            message:
              `this would delete every ${kind} in the cluster and all that they own: their workloads would stop. ` +
              `See what there is with: kubectl get ${plural}.${crd.spec.group} -A. If that is meant, allow it with: ` +
              `kubectl annotate crd ${name} ${ALLOW_DELETION_ANNOTATION}=true`,
          },
        ],
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: policy,
      spec: { policyName: policy.name, validationActions: ['Deny'] },
    },
  ];
}
