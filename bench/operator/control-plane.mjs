import { startControlPlane } from '../../tools/local-cluster/index.ts';
import { root } from '../measure.mjs';

/** The user that the operators are for the API server, which keeps their requests apart from all others in the audit log. */
export const USER = 'operator';

/**
 * Runs `use` with a fresh control plane that has the CRD and a namespace `bench`, and an audit log of only the
 * operator's requests.
 */
export async function withControlPlane(use) {
  const plane = await startControlPlane({
    controllerManager: true,
    crds: [`${root}/crds/inferenceservice.yaml`],
    users: { [USER]: ['system:masters'] },
    audit: {
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [
        { level: 'Metadata', users: [USER] },
        // What the benchmark itself changes behind the operator's back
        { level: 'Metadata', verbs: ['patch'], resources: [{ group: 'apps', resources: ['deployments'] }] },
        { level: 'None' },
      ],
    },
  });
  // Ctrl-C ends the control plane by itself: it goes with this process
  try {
    await plane.request('POST', '/api/v1/namespaces', { metadata: { name: 'bench' } });
    return await use(plane);
  } finally {
    await plane.stop();
  }
}

/** The requests of the operator, or of all others that are logged, in the order in which they came: verb, URI, and when they came and were answered. */
export function requests(plane, whose = 'operator') {
  const byId = new Map();
  for (const event of plane.auditEvents()) {
    if ((event.user.username === USER) === (whose === 'operator')) byId.set(event.auditID, event);
  }
  return [...byId.values()]
    .map(({ verb, requestURI, requestReceivedTimestamp, stageTimestamp, objectRef }) => ({
      verb,
      uri: requestURI,
      name: objectRef?.name,
      resource: objectRef?.resource,
      came: Date.parse(requestReceivedTimestamp),
      answered: Date.parse(stageTimestamp),
    }))
    .toSorted((a, b) => a.came - b.came);
}

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

export function writes(all) {
  return all.filter(({ verb }) => WRITES.has(verb));
}
