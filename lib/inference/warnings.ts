import { finding, type Finding, type FindingProps } from '../composition/finding';
import { flagWords, userValue } from './pod/args';
import { engines } from './engines';
import { generatesArguments, serverArguments } from './pod/template';
import type { AdmittedInferenceService, AdmittedSpec } from './admitted';
import { unknownPropagation } from './propagation';
import { scalingBounds } from './pod/rollout';

const secretVariable = /(^|_)(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY)$/i;
const secretFlag = /^--?([a-z0-9]+[-_])*(token|secret|password|api[-_]?key|access[-_]key)$/i;

/** What is allowed but probably not meant. */
export function warnings(resource: AdmittedInferenceService): readonly Finding[] {
  const { spec } = resource;
  return [
    ...unknownPropagation(resource),
    ...floatingImage(spec),
    ...argumentWarnings(resource),
    ...secretsInClear(spec),
    ...unreachableTarget(spec),
    ...probeWarnings(spec),
  ].map((props) => finding({ code: 'warning', ...props }));
}

function floatingImage({ image }: AdmittedSpec): readonly FindingProps[] {
  if (image === undefined || image.includes('@')) return [];
  const tag = /:([^:/]+)$/.exec(image)?.[1];
  if (tag !== undefined && tag !== 'latest' && tag !== 'nightly') return [];
  const came = tag === undefined ? 'has no tag' : `has the tag ${tag}`;
  return [
    {
      path: 'spec.image',
      message: `${came}, which means another image at another time; give a version or a digest (@sha256:…)`,
    },
  ];
}

function argumentWarnings(resource: AdmittedInferenceService): readonly FindingProps[] {
  const { spec } = resource;
  if (!generatesArguments(spec)) return [];
  const replaced = serverArguments(resource).replaced.map(
    ({ generated, by }) => `${by} takes the place of ${generated}`,
  );
  const { syntax, knowsAllFlags, image = '' } = engines[spec.model.framework];
  // Another image may be another version, which may know other flags.
  const unknown =
    knowsAllFlags && spec.image === undefined
      ? flagWords(spec.args ?? [])
          .filter((word) => syntax.flagOf(word) === undefined)
          .map((word) => `${flagName(word)} is not a flag of ${image}, which will not start with it`)
      : [];
  return [...replaced, ...unknown].map((message) => ({ path: 'spec.args', message }));
}

function secretsInClear({ model, env = [], args = [] }: AdmittedSpec): readonly FindingProps[] {
  const { syntax } = engines[model.framework];
  const variables = env.flatMap(({ name, value = '' }, index) =>
    secretVariable.test(name) && isLiteral(value)
      ? [
          {
            path: `spec.env[${index}].value`,
            message: `${name} looks like a secret that everybody can read here; take it from a Secret with valueFrom.secretKeyRef`,
          },
        ]
      : [],
  );
  const flags = args.flatMap((word, index) => {
    const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (args[index + 1] ?? '');
    return secretFlag.test(syntax.flagOf(word) ?? flagName(word)) && isLiteral(value) && !value.startsWith('-')
      ? [
          {
            path: `spec.args[${index}]`,
            message: `${flagName(word)} looks like a secret that everybody can read here; take it from a Secret through env`,
          },
        ]
      : [];
  });
  return [...variables, ...flags];
}

function unreachableTarget(spec: AdmittedSpec): readonly FindingProps[] {
  const target = spec.autoscaling?.targetConcurrency;
  const { concurrencyLimitFlag, syntax } = engines[spec.model.framework];
  if (target === undefined || concurrencyLimitFlag === undefined || !scalingBounds(spec)) return [];
  const limit = userValue(spec.args ?? [], concurrencyLimitFlag, syntax);
  if (limit === undefined || !/^\d+$/.test(limit) || target <= Number(limit)) return [];
  return [
    {
      path: 'spec.autoscaling.targetConcurrency',
      message: `${target} is more than the ${limit} running requests that ${concurrencyLimitFlag} allows, so nothing is ever scaled up`,
    },
  ];
}

function probeWarnings(spec: AdmittedSpec): readonly FindingProps[] {
  const found: FindingProps[] = [];
  for (const field of ['startupProbe', 'readinessProbe', 'livenessProbe'] as const) {
    const probe = spec[field];
    if (probe?.enabled && probe.httpGet?.scheme === 'HTTPS' && engines[spec.model.framework].plainHttp) {
      found.push({
        path: `spec.${field}.httpGet.scheme`,
        message: `HTTPS cannot succeed: framework ${spec.model.framework} serves plain HTTP`,
      });
    }
  }
  const liveness = spec.livenessProbe;
  if (
    spec.startupProbe?.enabled === false &&
    liveness?.enabled !== false &&
    liveness?.initialDelaySeconds === undefined
  ) {
    found.push({
      path: 'spec.startupProbe.enabled',
      message:
        'without a startup probe the liveness probe kills a model that still loads; set livenessProbe.initialDelaySeconds or livenessProbe.enabled: false too',
    });
  }
  return found;
}

function flagName(word: string): string {
  return word.split('=', 1)[0] ?? word;
}

/** Whether a value is there and is not taken from elsewhere by reference. */
function isLiteral(value: string): boolean {
  return value !== '' && !value.includes('$(');
}
