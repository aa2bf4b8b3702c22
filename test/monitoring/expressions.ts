import { monitoringFiles } from '../../lib/install/monitoring/files';

/** A dashboard as far as tests look at it. */
export interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly type: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly datasource?: { readonly uid: string };
    readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
  }[];
}

export function readDashboard(): Dashboard {
  return JSON.parse(monitoringFiles()['dashboard.json'] ?? '') as Dashboard;
}

/** The dashboard's queries as Grafana sends them where all namespaces and models are chosen. */
export function expressions(): readonly string[] {
  return readDashboard()
    .panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .map((expr) => expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$(namespace|model)/g, '.*'));
}
