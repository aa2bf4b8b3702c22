import { writeObject, writeStream } from '../cli/output/format';
import type { Manifest } from '../lib/composition';
import { installManifests, type InfernoProps } from '../lib/install';
import { byFile, withoutThose } from './objects';
import { Template } from './template';
import { valuesSchema, valuesYaml } from './values';

/** What the chart is made from, beside the construct. */
export interface ChartProps {
  readonly version: string;
  /** What the props' doc comments say. */
  readonly docs: ReadonlyMap<string, string>;
}

/** What all stand-ins begin with. */
const MARK = 'zz-';
const namespace = `${MARK}release-namespace`;
const watched = `${MARK}watched-namespace`;
const label = { [`${MARK}label`]: 'zz' };

/** Props that make the construct render everything that values may change, with stand-ins for the values. */
const everything: InfernoProps = {
  namespace,
  // Helm keeps its record of the release in the namespace, so it is there before, and the chart cannot bring it.
  createNamespace: false,
  image: `${MARK}image`,
  imagePullPolicy: 'Never',
  imagePullSecrets: [{ name: `${MARK}pull-secret` }],
  replicas: 9999,
  watchNamespaces: [watched],
  logLevel: 'debug',
  resources: { limits: { [`${MARK}resource`]: '1' } },
  nodeSelector: label,
  tolerations: [{ key: `${MARK}toleration` }],
  affinity: {
    podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: `${MARK}affinity` }] },
  },
  podLabels: { [`${MARK}pod-label`]: 'zz' },
  podAnnotations: { [`${MARK}pod-annotation`]: 'zz' },
  args: [`--composition=${MARK}arg`],
  env: [{ name: `${MARK}env` }],
  monitoringLabels: { [`${MARK}monitoring-label`]: 'zz' },
};
const { watchNamespaces: _, ...unconfined } = everything;

/** The Helm chart, as texts by path. */
export function chartFiles({ version, docs }: ChartProps): Readonly<Record<string, string>> {
  return {
    'Chart.yaml': writeObject(
      {
        apiVersion: 'v2',
        name: 'inferno',
        description: 'The operator of InferenceServices: model servers on Kubernetes.',
        type: 'application',
        version,
        appVersion: version,
        // ValidatingAdmissionPolicy
        kubeVersion: '>=1.30.0-0',
        keywords: ['inference', 'llm', 'operator', 'vllm', 'triton'],
        annotations: { 'artifacthub.io/license': 'Apache-2.0', 'artifacthub.io/operator': 'true' },
      },
      'yaml',
    ),
    'values.yaml': valuesYaml(docs),
    'values.schema.json': valuesSchema(),
    'templates/_helpers.tpl': helpers,
    'templates/NOTES.txt': notes,
    ...templates(),
  };
}

function templates(): Readonly<Record<string, string>> {
  const objects = installManifests(everything);
  const texts = [...byFile(objects)].map(([name, of]): readonly [string, string] => [
    name,
    name === 'rbac' ? rbac(of, byFile(installManifests(unconfined)).get(name) ?? []) : templateOf(name, of),
  ]);
  texts.push(['monitoring', monitoring()]);
  return Object.fromEntries(texts.map(([name, text]) => [`templates/${name}.yaml`, text]));
}

function templateOf(name: string, objects: readonly Manifest[]): string {
  const template = new Template(writeStream(objects, 'yaml'));
  if (name === 'crds') return template.within('{{- if .Values.crds.install }}', '{{- end }}').finish(MARK);
  template.expression(namespace, '.Release.Namespace');
  if (name === 'deployment') deployment(template);
  const condition = CONDITIONS[name];
  if (condition !== undefined) template.within(`{{- if ${condition} }}`, '{{- end }}');
  return template.finish(MARK);
}

const CONDITIONS: Readonly<Record<string, string>> = {
  'priority-class': 'and .Values.priorityClass.create (not .Values.priorityClassName)',
  'pod-disruption-budget': '.Values.podDisruptionBudget.enabled',
  'network-policy': '.Values.networkPolicy.enabled',
};

/** A field that is there if the value is not empty. */
function optional(name: string, path: string): (indent: number) => readonly string[] {
  return (indent) => [`{{- with ${path} }}`, `${name}:`, `  {{- toYaml . | nindent ${indent + 2} }}`, '{{- end }}'];
}

function deployment(template: Template): void {
  template
    .expression(`${MARK}image`, 'include "inferno.image" .')
    .line('imagePullPolicy: Never', ['{{- with .Values.image.pullPolicy }}', 'imagePullPolicy: {{ . }}', '{{- end }}'])
    .line('replicas: 9999', ['replicas: {{ int .Values.replicas }}'])
    .line('- --log-level=debug', ['- --log-level={{ .Values.logLevel }}'])
    .line(`- --watch-namespace=${watched}`, [
      '{{- with .Values.watchNamespaces }}',
      '- --watch-namespace={{ uniq . | join "," }}',
      '{{- end }}',
    ])
    .line(`- --composition=${MARK}arg`, ['{{- range .Values.args }}', '- {{ . | quote }}', '{{- end }}'])
    .field('env', `${MARK}env`, optional('env', '.Values.env'))
    .field('resources', `${MARK}resource`, (indent) => [
      'resources:',
      `  {{- toYaml .Values.resources | nindent ${indent + 2} }}`,
    ])
    .field('imagePullSecrets', `${MARK}pull-secret`, optional('imagePullSecrets', '.Values.imagePullSecrets'))
    .field('nodeSelector', `${MARK}label`, optional('nodeSelector', '.Values.nodeSelector'))
    .field('tolerations', `${MARK}toleration`, optional('tolerations', '.Values.tolerations'))
    .field('affinity', `${MARK}affinity`, optional('affinity', '.Values.affinity'))
    .field('annotations', `${MARK}pod-annotation`, optional('annotations', '.Values.podAnnotations'))
    .line(`${MARK}pod-label: zz`, labelsOf('.Values.podLabels'))
    .field('priorityClassName', 'priorityClassName', () => [
      '{{- if .Values.priorityClassName }}',
      'priorityClassName: {{ .Values.priorityClassName | quote }}',
      '{{- else if .Values.priorityClass.create }}',
      'priorityClassName: {{ .Release.Namespace }}-inferno-controller-manager',
      '{{- end }}',
    ])
    .around('topologySpreadConstraints', {
      before: [
        '{{- if .Values.topologySpreadConstraints }}',
        'topologySpreadConstraints:',
        '  {{- toYaml .Values.topologySpreadConstraints | nindent 8 }}',
        '{{- else if gt (int .Values.replicas) 1 }}',
      ],
      after: ['{{- end }}'],
    });
}

function labelsOf(path: string): readonly string[] {
  return [`{{- range $key, $value := ${path} }}`, '{{ $key | quote }}: {{ $value | quote }}', '{{- end }}'];
}

/** The permissions, in the whole cluster or in each of some namespaces. */
function rbac(inSome: readonly Manifest[], inAll: readonly Manifest[]): string {
  const everywhere = withoutThose(inAll, inSome);
  const inEach = withoutThose(inSome, inAll);
  const always = withoutThose(inSome, inEach);
  const part = (objects: readonly Manifest[]): Template => new Template(writeStream(objects, 'yaml'));
  return [
    part(always).expression(namespace, '.Release.Namespace').finish(MARK),
    '{{- range uniq .Values.watchNamespaces }}\n---\n',
    part(inEach).expression(namespace, '$.Release.Namespace').expression(watched, '.').finish(MARK),
    '{{- else }}\n---\n',
    part(everywhere).expression(namespace, '.Release.Namespace').finish(MARK),
    '{{- end }}\n',
  ].join('');
}

/** What the Prometheus operator reads. Where it depends on the namespaces, both are in it. */
function monitoring(): string {
  const of = (props: InfernoProps): readonly Manifest[] =>
    withoutThose(installManifests({ ...props, monitoring: true }), installManifests(props));
  const unconfinedObjects = of(unconfined);
  const documents = of(everything).map((object, index) => {
    const confined = monitoringTemplate(object);
    const other = unconfinedObjects[index];
    if (other === undefined) throw new Error(`${object.kind} ${object.metadata.name} depends on the namespaces`);
    const everywhere = monitoringTemplate(other);
    if (confined === everywhere) return confined;
    return `{{- if .Values.watchNamespaces }}\n${confined}{{- else }}\n${everywhere}{{- end }}\n`;
  });
  return new Template('')
    .within('{{- if .Values.monitoring.enabled }}', `${documents.join('---\n')}{{- end }}`)
    .finish(MARK);
}

function monitoringTemplate(object: Manifest): string {
  const template = new Template(writeObject(object, 'yaml'));
  template.expression(namespace, '.Release.Namespace');
  if (template.has(`${MARK}monitoring-label`)) {
    template.line(`${MARK}monitoring-label: zz`, labelsOf('.Values.monitoring.labels'));
  }
  if (template.has(`- ${watched}`)) {
    template.line(`- ${watched}`, ['{{- range uniq .Values.watchNamespaces }}', '- {{ . | quote }}', '{{- end }}']);
  }
  return template.finish(MARK);
}

const helpers = `{{/* The image of the operator. */}}
{{- define "inferno.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}
`;

const notes = `The operator of InferenceServices runs in the namespace {{ .Release.Namespace }}:

  kubectl rollout status -n {{ .Release.Namespace }} deployment/inferno-controller-manager

It needs no more than Pod Security "restricted". To have that enforced:

  kubectl label namespace {{ .Release.Namespace }} pod-security.kubernetes.io/enforce=restricted

When the release is uninstalled, the definition of InferenceService, the InferenceServices and the model servers stay.
`;
