import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { poll } from '../../tools/local-cluster';
import { tail } from '../../tools/local-cluster/logs';
import { freePort } from '../../tools/local-cluster/ports';
import { Processes } from '../../tools/local-cluster/processes';
import { findPrometheus } from './prometheus';

/** A series with its value now. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** An alert that is pending or fires. */
export interface ActiveAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
}

/** Something that is scraped. */
export interface Target {
  readonly scrapePool: string;
  readonly scrapeUrl: string;
  readonly health: string;
  readonly lastError: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A real Prometheus on loopback with a database of its own, which dies with this process. */
export class Prometheus {
  private constructor(
    readonly url: string,
    private readonly processes: Processes,
  ) {}

  /** @param rules the `groups` of a file of rules; everything is scraped and evaluated each second */
  static async start(scrapeConfigs: readonly object[], rules: object): Promise<Prometheus> {
    const { prometheus } = await findPrometheus();
    const folder = mkdtempSync(join(tmpdir(), 'inferno-prometheus-'));
    const [rulesFile, config, log] = [join(folder, 'r.yaml'), join(folder, 'p.yaml'), join(folder, 'log')];
    const global = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' };
    writeFileSync(rulesFile, stringify(rules));
    writeFileSync(config, stringify({ global, rule_files: [rulesFile], scrape_configs: scrapeConfigs }));
    const processes = new Processes(folder);
    const address = `127.0.0.1:${await freePort()}`;
    const flags = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`];
    await processes.start('prometheus', prometheus, [...flags, `--web.listen-address=${address}`], log);
    const server = new Prometheus(`http://${address}`, processes);
    try {
      await poll('Prometheus to be ready', async () => {
        const ended = processes.ended('prometheus');
        if (ended !== undefined) throw new Error(`Prometheus has ended with ${ended.how}:\n${tail(log)}`);
        return fetch(`${server.url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      });
    } catch (error) {
      await processes.stop();
      throw error;
    }
    return server;
  }

  /** @throws Error with Prometheus' own words where it does not take the query */
  async query(expr: string): Promise<readonly Sample[]> {
    const { result } = await this.#get<{ result: readonly Sample[] }>(`query?query=${encodeURIComponent(expr)}`);
    return result;
  }

  async alerts(): Promise<readonly ActiveAlert[]> {
    return (await this.#get<{ alerts: readonly ActiveAlert[] }>('alerts')).alerts;
  }

  async targets(): Promise<readonly Target[]> {
    return (await this.#get<{ activeTargets: readonly Target[] }>('targets?state=active')).activeTargets;
  }

  /** Waits until an alert fires, for series with these labels. */
  async fires(alertname: string, labels: Readonly<Record<string, string>> = {}, seconds = 60): Promise<ActiveAlert> {
    let seen: readonly ActiveAlert[] = [];
    const wanted = Object.entries({ ...labels, alertname });
    try {
      return await poll(
        `alert ${alertname}`,
        async () => {
          seen = await this.alerts();
          return seen.find(
            (alert) => alert.state === 'firing' && wanted.every(([key, value]) => alert.labels[key] === value),
          );
        },
        { seconds, interval: 200 },
      );
    } catch (error) {
      const there = seen.map((alert) => JSON.stringify([alert.state, alert.labels]));
      throw new Error(`${String(error)}; active are ${there.join(', ')}`, { cause: error });
    }
  }

  stop(): Promise<void> {
    return this.processes.stop();
  }

  async #get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.url}/api/v1/${path}`);
    const body = (await response.json()) as { readonly status: string; readonly error?: string; readonly data: T };
    if (body.status !== 'success') throw new Error(`${path}: ${body.error ?? response.status}`);
    return body.data;
  }
}
