import { require } from './typescript.mjs';

/** @type {typeof import('../../test/load/endpoints.ts')} */
const { usableEndpoints } = require('../../test/load/endpoints.ts');

/**
 * Asks a model a question at an endpoint of its Service, as kube-proxy would choose one.
 *
 * @param {import('../../tools/local-cluster/index.ts').ControlPlane} controlPlane
 * @param {{ readonly namespace: string, readonly name: string }} service
 * @param {string} question
 * @returns {Promise<{ readonly endpoint: string, readonly answer: string }>}
 */
export async function ask(controlPlane, { namespace, name }, question) {
  const slices = `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
  const { body } = await controlPlane.request('GET', `${slices}?labelSelector=kubernetes.io/service-name=${name}`);
  const { items } = /** @type {{ items: import('../../test/load/endpoints.ts').EndpointSlice[] }} */ (body);
  const [endpoint] = usableEndpoints(items);
  if (endpoint === undefined) {
    throw new Error(`the Service ${namespace}/${name} has no endpoint that is ready`);
  }
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
  const answer = JSON.parse(text).choices?.[0]?.message?.content;
  if (typeof answer !== 'string' || answer === '') {
    throw new Error(`${name} at ${host} gave no answer: ${text}`);
  }
  return { endpoint: host, answer };
}
