import { type EndpointSlice, usableEndpoints } from '../../test/load/endpoints';
import type { ControlPlane } from '../local-cluster';

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
}

/** Asks a model a question at an endpoint of its Service, as kube-proxy would choose one. */
export async function ask(
  controlPlane: ControlPlane,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  question: string,
): Promise<{ readonly endpoint: string; readonly answer: string }> {
  const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  const { body } = await controlPlane.request<{ readonly items: readonly EndpointSlice[] }>(
    'GET',
    `${slices}?labelSelector=kubernetes.io/service-name=${name}`,
  );
  const [endpoint] = usableEndpoints(body.items);
  if (endpoint === undefined) throw new Error(`the Service ${namespace}/${name} has no endpoint that is ready`);
  const host = `${endpoint.address}:${endpoint.port}`;
  const response = await fetch(`http://${host}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, messages: [{ role: 'user', content: question }] }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`${name} at ${host} answered the question with status ${response.status}: ${text}`);
  }
  const { choices }: Completion = JSON.parse(text);
  const answer = choices?.[0]?.message?.content;
  if (typeof answer !== 'string' || answer === '') throw new Error(`${name} at ${host} gave no answer: ${text}`);
  return { endpoint: host, answer };
}
