import type { PodSecurityContext, SecurityContext } from '../../../imports/k8s';

/** A user without a name that owns nothing, for images that do not care who runs them. */
export const nobody = 65532;

/** What every container can live with. */
export const baselineContainer: SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
};

/** What every pod can live with. */
export const baselinePod: PodSecurityContext = { seccompProfile: { type: 'RuntimeDefault' } };

/** A container for Kubernetes' Pod Security level `restricted`, with a root file system that nobody can write to. */
export const restrictedContainer: SecurityContext = { ...baselineContainer, readOnlyRootFilesystem: true };

/** A pod for Kubernetes' Pod Security level `restricted`. */
export function restrictedPod(user: number): PodSecurityContext {
  return { ...baselinePod, runAsNonRoot: true, runAsUser: user, runAsGroup: user };
}
