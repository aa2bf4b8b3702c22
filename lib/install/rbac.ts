import type { ChildKind, Composition, Manifest } from '../composition';
import { groupOf } from '../composition/manifest';
import { defined } from '../composition/objects';
import { SETTINGS } from '../settings/settings';
import { managerName, operatorLabels } from './names';

/** What may be done to which resources, as in rbac.authorization.k8s.io/v1. */
export interface PolicyRule {
  /** "" for the core group. */
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** @default - any */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** What an operator's permissions are made from. */
export interface OperatorRbacProps {
  readonly compositions: readonly Composition[];
  /** The operator's own namespace, where its ServiceAccount and its Lease are. */
  readonly namespace: string;
  /** The operator's ServiceAccount. @default inferno-controller-manager */
  readonly serviceAccount?: string;
  /**
   * The namespaces that it watches, each of which gets a Role.
   *
   * @default - all, by a ClusterRole
   */
  readonly watchNamespaces?: readonly string[];
  /** The name of its Lease. @default inferno-operator.inferno.io */
  readonly leaderElectionId?: string;
}

/** The Lease of an operator where none is named. */
const OPERATOR_LEASE = SETTINGS.leaderElectionId.default;

/**
 * The permissions of an operator that runs these compositions: least privilege, nothing that it does not use. Pure.
 *
 * - resources: list, watch; get, to see before a child is made again that its resource is not gone; patch of `status`;
 *   patch of the resource itself only where a finalizer is needed
 * - `finalizers`: update, which an API server with OwnerReferencesPermissionEnforcement asks for where an owner reference
 *   blocks the owner's deletion
 * - children: list and watch; create and patch, both of which a server-side apply that makes an object needs; delete, for
 *   pruning; get, to see whose an object is that the cache did not know
 * - what is only looked at: list, watch
 * - events: create, and patch to count up
 *
 * Caveat: a composition that makes Roles or RoleBindings needs what they grant as well, or the verbs escalate and bind;
 * grant that yourself.
 */
export function operatorRules(compositions: readonly Composition[]): readonly PolicyRule[] {
  const grants = new Map<string, Set<string>>();
  const grant = (group: string, resource: string, verbs: readonly string[]): void => {
    const key = `${group}\n${resource}`;
    const known = grants.get(key) ?? new Set();
    for (const verb of verbs) known.add(verb);
    grants.set(key, known);
  };
  const grantKind = ({ apiVersion, plural }: ChildKind, verbs: readonly string[]): void =>
    grant(groupOf(apiVersion), plural, verbs);

  for (const { crd, children, observes = [], external, deletesInOrder = false } of compositions) {
    const needsFinalizer = external !== undefined || deletesInOrder;
    const { group, names } = crd.spec;
    grant(group, names.plural, ['get', 'list', 'watch', ...(needsFinalizer ? ['patch'] : [])]);
    grant(group, `${names.plural}/status`, ['patch']);
    grant(group, `${names.plural}/finalizers`, ['update']);
    for (const kind of children) grantKind(kind, ['get', 'list', 'watch', 'create', 'patch', 'delete']);
    for (const { kind } of observes) grantKind(kind, ['list', 'watch']);
  }
  grant('events.k8s.io', 'events', ['create', 'patch']);
  return grouped(grants);
}

/**
 * The permissions of an operator to lead: the Lease of that name, in its own namespace. A name cannot be asked for when
 * something is created.
 */
export function leaderElectionRules(leaderElectionId: string = OPERATOR_LEASE): readonly PolicyRule[] {
  const lease = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, resourceNames: [leaderElectionId], verbs: ['get', 'update'] },
  ];
}

/**
 * The objects that let an operator do its work: its ServiceAccount, a ClusterRole or a Role for each namespace, the Role
 * for its Lease, and their bindings. Pure.
 */
export function operatorRbac(props: OperatorRbacProps): readonly Manifest[] {
  const { compositions, namespace, watchNamespaces = [], serviceAccount = managerName } = props;
  const account = { kind: 'ServiceAccount', name: serviceAccount, namespace };
  const rules = operatorRules(compositions);
  // Two operators with one name in two namespaces must not share the objects that have no namespace.
  const clusterName = `${namespace}-${serviceAccount}`;
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: serviceAccount, namespace, labels: operatorLabels } },
    ...(watchNamespaces.length === 0
      ? roleAndBinding(clusterName, undefined, rules, account)
      : [...new Set(watchNamespaces)].flatMap((each) => roleAndBinding(clusterName, each, rules, account))),
    ...roleAndBinding(
      `${serviceAccount}-leader-election`,
      namespace,
      leaderElectionRules(props.leaderElectionId),
      account,
    ),
  ];
}

const API_GROUP = 'rbac.authorization.k8s.io';

function roleAndBinding(
  name: string,
  namespace: string | undefined,
  rules: readonly PolicyRule[],
  account: { readonly kind: string; readonly name: string; readonly namespace: string },
): readonly Manifest[] {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const metadata = defined<Manifest['metadata']>({ name, namespace, labels: operatorLabels });
  return [
    { apiVersion: `${API_GROUP}/v1`, kind, metadata, rules },
    {
      apiVersion: `${API_GROUP}/v1`,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: API_GROUP, kind, name },
      subjects: [account],
    },
  ];
}

/** Verbs in the order in which people write them. */
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** One rule for all resources of a group with the same verbs, in order of group and resource. */
function grouped(grants: ReadonlyMap<string, ReadonlySet<string>>): readonly PolicyRule[] {
  const rules = new Map<
    string,
    { readonly group: string; readonly resources: string[]; readonly verbs: readonly string[] }
  >();
  for (const [key, granted] of [...grants].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [group = '', resource = ''] = key.split('\n');
    const verbs = VERBS.filter((verb) => granted.has(verb));
    const ruleKey = `${group}\n${verbs.join(',')}`;
    const rule = rules.get(ruleKey) ?? { group, resources: [], verbs };
    rule.resources.push(resource);
    rules.set(ruleKey, rule);
  }
  return [...rules.values()].map(({ group, resources, verbs }) => ({ apiGroups: [group], resources, verbs }));
}
