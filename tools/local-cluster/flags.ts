import { join } from 'node:path';

/** Files in the folder of a control plane. */
export const files = {
  etcdSocket: 'etcd.socket',
  kubeconfig: 'admin.kubeconfig',
  serviceAccountKey: 'service-account.key',
  tokens: 'tokens.csv',
  rootCa: 'ca.crt',
  certificates: 'certificates',
  servingCertificate: join('certificates', 'apiserver.crt'),
  auditPolicy: 'audit-policy.json',
  auditLog: 'audit.log',
} as const;

export function etcdFlags(folder: string): readonly string[] {
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    // With a port, one that somebody else took in the meantime could be the etcd of another control plane.
    `--listen-client-urls=unix://${join(folder, files.etcdSocket)}`,
    `--advertise-client-urls=unix://${join(folder, files.etcdSocket)}`,
    // It has no peers; port 0 spares a port that somebody else might take.
    '--listen-peer-urls=http://127.0.0.1:0',
    '--unsafe-no-fsync',
    // It elects itself; the default timeout of 1 s is for members that are far away.
    '--heartbeat-interval=20',
    '--election-timeout=200',
    '--log-level=warn',
  ];
}

/** Where the API server listens. */
export type Listening =
  /** On loopback, for clients on this machine. */
  | { readonly on: 'loopback'; readonly port: number }
  /** On all addresses of a cluster's own network namespace; `address` is the one that it reports. */
  | { readonly on: 'pod network'; readonly port: number; readonly address: string };

export function apiServerFlags(folder: string, listening: Listening, audit: boolean): readonly string[] {
  return [
    `--etcd-servers=unix://${join(folder, files.etcdSocket)}`,
    ...listenFlags(listening),
    `--secure-port=${listening.port}`,
    `--cert-dir=${join(folder, files.certificates)}`,
    '--service-cluster-ip-range=10.0.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, files.serviceAccountKey)}`,
    `--service-account-signing-key-file=${join(folder, files.serviceAccountKey)}`,
    `--token-auth-file=${join(folder, files.tokens)}`,
    '--authorization-mode=RBAC',
    '--allow-privileged=true',
    ...(audit
      ? [
          `--audit-policy-file=${join(folder, files.auditPolicy)}`,
          `--audit-log-path=${join(folder, files.auditLog)}`,
          '--audit-log-mode=blocking',
        ]
      : []),
  ];
}

function listenFlags(listening: Listening): readonly string[] {
  if (listening.on === 'loopback') {
    return [
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      // A loopback address is not allowed in an EndpointSlice, so the Service "kubernetes" stays without one.
      '--endpoint-reconciler-type=none',
    ];
  }
  return [
    '--bind-address=0.0.0.0',
    `--advertise-address=${listening.address}`,
    // Names of nodes cannot be looked up.
    '--kubelet-preferred-address-types=InternalIP',
  ];
}

export function controllerManagerFlags(folder: string): readonly string[] {
  return [
    ...clientFlags(folder),
    `--service-account-private-key-file=${join(folder, files.serviceAccountKey)}`,
    `--root-ca-file=${join(folder, files.rootCa)}`,
    '--use-service-account-credentials=false',
    // Its own limit of 20 requests per second makes garbage collection slow.
    '--kube-api-qps=200',
    '--kube-api-burst=400',
  ];
}

export function schedulerFlags(folder: string): readonly string[] {
  return clientFlags(folder);
}

function clientFlags(folder: string): readonly string[] {
  const kubeconfig = join(folder, files.kubeconfig);
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
  ];
}
