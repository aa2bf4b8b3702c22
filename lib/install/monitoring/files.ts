import { Yaml } from 'cdk8s';
import { OPERATOR_NAMESPACE } from '../names';
import { alertRules } from './alerts';
import { dashboard } from './dashboard';
import { scrapeConfigs } from './scraping';

/** What those have who run no Prometheus operator, as text by the name of its file. Pure. */
export function monitoringFiles(namespace = OPERATOR_NAMESPACE): Readonly<Record<string, string>> {
  return {
    'alerts.yaml': Yaml.stringify(alertRules({ namespace })),
    'scrape-configs.yaml': Yaml.stringify({ scrape_configs: scrapeConfigs(namespace) }),
    'dashboard.json': `${JSON.stringify(dashboard(), null, 2)}\n`,
  };
}
