/** A kubeconfig with one cluster, one user and one context, all named `inferno`. JSON, which is YAML as well. */
export function kubeconfig(url: string, ca: string, token: string, namespace = 'default'): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'inferno', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
    ],
    users: [{ name: 'inferno', user: { token } }],
    contexts: [{ name: 'inferno', context: { cluster: 'inferno', user: 'inferno', namespace } }],
    'current-context': 'inferno',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
