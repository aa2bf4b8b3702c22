{{- define "llama.selector" -}}
app: {{ .Release.Name }}
operator: inferno
{{- end }}

{{- define "llama.labels" -}}
{{ include "llama.selector" . }}
app.kubernetes.io/component: inference-server
app.kubernetes.io/managed-by: inferno
app.kubernetes.io/name: {{ .Release.Name }}
app.kubernetes.io/part-of: inferno
{{- end }}

{{- define "llama.metadata" -}}
name: {{ .Release.Name }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "llama.labels" . | nindent 2 }}
{{- end }}

{{- define "llama.health" -}}
httpGet:
  path: /health
  port: http
  scheme: HTTP
{{- end }}
