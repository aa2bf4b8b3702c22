import { dirname } from 'node:path';
import { which } from '../go/which';

interface Reach {
  readonly url: string;
  readonly kubeconfig: string;
  readonly kubectl: string;
}

const service = '/api/v1/namespaces/default/services/hello:80/proxy';

/** What one can try while the cluster runs. */
export function explain({ url, kubeconfig, kubectl }: Reach): string {
  const path =
    which('kubectl', process.env) === undefined ? [`export PATH="$PATH:${dirname(kubectl)}"  # for kubectl`] : [];
  const chat = JSON.stringify({ model: 'hello', messages: [{ role: 'user', content: 'Are you there?' }] });
  return `The API server listens on ${url}. To look around, in another terminal:

${block([`export KUBECONFIG=${kubeconfig}`, ...path])}

${block(['kubectl get isvc -A', 'kubectl get deployments,services,pods -o wide', 'npx inferno status -A'])}

To change the resource, see what the operator would make of it, and what it makes:

${block([
  `kubectl patch isvc hello --type=merge -p '{"spec":{"replicas":{"min":3,"max":3}}}'`,
  'kubectl edit isvc hello',
  'npx inferno diff -f examples/minimal-fake.yaml',
  'npx inferno status -A --watch',
])}

To see what the model server and the operator say, and to ask the model:

${block([
  'kubectl logs deployment/hello',
  'kubectl logs -n inferno-system deployment/inferno-controller-manager',
  `kubectl get --raw ${service}/v1/models`,
  'kubectl proxy --port=8001 &',
  `curl http://127.0.0.1:8001${service}/v1/chat/completions \\\n    -H 'content-type: application/json' -d '${chat}'`,
])}

The node runs only this project's image, so framework fake, and it is not a kubelet: kubectl exec, port-forward, top and
logs --since do not work.

Ctrl-C ends it and removes everything.`;
}

function block(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
