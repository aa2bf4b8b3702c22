import type { PodSecurityContext, SecurityContext } from '../../../imports/k8s';
import type { Engine } from '../engines';
import { overlay } from './overlay';
import type { AdmittedSpec } from '../admitted';

/** The security settings of the pod: the engine's, with the user's laid over them. */
export function podSecurity(spec: AdmittedSpec, engine: Engine): PodSecurityContext {
  const merged = overlay(engine.podSecurityContext, spec.podSecurityContext);
  if (!isRoot(spec.podSecurityContext)) return merged;
  const { runAsNonRoot: _, ...root } = merged;
  return root;
}

/** The security settings of the server's container: the engine's, with the user's laid over them. */
export function containerSecurity(spec: AdmittedSpec, engine: Engine): SecurityContext {
  const user = spec.securityContext;
  const merged = overlay(engine.securityContext, user);
  const root = isRoot(user) && engine.podSecurityContext.runAsNonRoot ? { runAsNonRoot: false } : {};
  if (!mayEscalate(user)) return { ...merged, ...root };
  const { allowPrivilegeEscalation: _, ...escalating } = merged;
  return { ...escalating, ...root };
}

/** Whether the user asks for root without a word on runAsNonRoot: the default of true would keep the pod from starting. */
function isRoot(user: PodSecurityContext | SecurityContext | undefined): boolean {
  return user?.runAsUser === 0 && user.runAsNonRoot === undefined;
}

/** Whether the user asks for what Kubernetes refuses together with the default `allowPrivilegeEscalation: false`. */
function mayEscalate(user: SecurityContext | undefined): boolean {
  const all = user?.privileged === true || user?.capabilities?.add?.includes('CAP_SYS_ADMIN') === true;
  return all && user?.allowPrivilegeEscalation === undefined;
}
