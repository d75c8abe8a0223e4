{{- define "dashboard.name" -}}
{{- if contains "coverage-dashboard" .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-coverage-dashboard" .Release.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "dashboard.selector" -}}
app.kubernetes.io/name: coverage-dashboard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dashboard.labels" -}}
{{ include "dashboard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}
