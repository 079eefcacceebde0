{{/* What is fixed about each service: its port, whom it calls, and the engines it uses. "Who calls whom" of docs/architecture.md. */}}
{{- define "shelfwise.services" -}}
gateway: { port: 8080, calls: [tracking, scoring, store-fetch, niche, chart, notify, mcp], engines: [mongodb, redis] }
tracking: { port: 50051, calls: [store-fetch], engines: [mongodb, kafka] }
store-fetch: { port: 50052, calls: [], engines: [mongodb, redis, kafka] }
scoring: { port: 50053, calls: [store-fetch], engines: [mongodb, kafka] }
niche: { port: 50054, calls: [scoring, store-fetch], engines: [mongodb] }
chart: { port: 50055, calls: [store-fetch], engines: [mongodb, kafka] }
notify: { port: 50056, calls: [], engines: [mongodb, kafka] }
mcp: { port: 8090, calls: [gateway], engines: [] }
{{- end }}

{{/* The values of one service, with the defaults. Context: [root, name] */}}
{{- define "shelfwise.values" -}}
{{- $root := index . 0 }}
{{- mergeOverwrite (deepCopy $root.Values.defaults) (deepCopy (index $root.Values.services (index . 1) | default dict)) | toYaml }}
{{- end }}

{{- define "shelfwise.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Context: [root, component] */}}
{{- define "shelfwise.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "shelfwise.labels" -}}
{{ include "shelfwise.selector" . }}
app.kubernetes.io/part-of: shelfwise
app.kubernetes.io/version: {{ (index . 0).Values.image.tag | default (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ (index . 0).Chart.Name }}-{{ (index . 0).Chart.Version }}
{{- end }}

{{/* Context: [root, name] */}}
{{- define "shelfwise.image" -}}
{{- if not (index . 0).Values.image.registry }}{{ fail "Set image.registry to where your images are, such as registry.example.com/shelfwise (docs/kubernetes.md says how to build them)." }}{{ end -}}
{{ (index . 0).Values.image.registry }}/shelfwise-{{ index . 1 }}:{{ (index . 0).Values.image.tag | default (index . 0).Chart.AppVersion }}
{{- end }}

{{/* The address of a service, for its callers. Context: [root, name] */}}
{{- define "shelfwise.address" -}}
{{- $root := index . 0 }}{{ $name := index . 1 }}
{{- $values := include "shelfwise.values" . | fromYaml }}
{{- if $values.enabled }}{{ include "shelfwise.fullname" $root }}-{{ $name }}:{{ (index (include "shelfwise.services" $root | fromYaml) $name).port }}
{{- else if $values.address }}{{ $values.address }}
{{- else }}{{ fail (printf "services.%s is not enabled, but another service calls it: enable it, or set services.%s.address to host:port." $name $name) }}{{ end }}
{{- end }}

{{/* Whether connections between services are encrypted: "true" or "". */}}
{{- define "shelfwise.isEncrypted" -}}
{{- $mode := .Values.tls.mode }}
{{- if not (has $mode (list "certManager" "secret" "insecure")) }}{{ fail "Set tls.mode: certManager (with tls.issuer.name), secret (with tls.secretName), or insecure if every pod of the network is trusted." }}{{ end }}
{{- if and (eq $mode "certManager") (not .Values.tls.issuer.name) }}{{ fail "tls.mode certManager needs tls.issuer.name." }}{{ end }}
{{- if and (eq $mode "secret") (not .Values.tls.secretName) }}{{ fail "tls.mode secret needs tls.secretName: a secret with ca.crt, tls.crt and tls.key." }}{{ end }}
{{- if ne $mode "insecure" }}true{{ end }}
{{- end }}

{{/* The secret that calls between services carry without certificates. */}}
{{- define "shelfwise.grpcSecret" -}}
{{- .Values.grpcSecret.name | default (printf "%s-grpc" (include "shelfwise.fullname" .)) }}
{{- end }}

{{/* The secret with the key that secrets of accounts are encrypted with. */}}
{{- define "shelfwise.secretsKey" -}}
{{- .Values.secretsKey.name | default (printf "%s-secrets-key" (include "shelfwise.fullname" .)) }}
{{- end }}

{{/* The secret with the certificate of a process. Context: [root, component] */}}
{{- define "shelfwise.certificateSecret" -}}
{{- $root := index . 0 }}
{{- if eq $root.Values.tls.mode "secret" }}{{ $root.Values.tls.secretName }}{{ else }}{{ include "shelfwise.fullname" $root }}-{{ index . 1 }}-tls{{ end }}
{{- end }}

{{/* The names by which assistants reach /mcp of the gateway. */}}
{{- define "shelfwise.mcpHosts" -}}
{{- $service := printf "%s-gateway" (include "shelfwise.fullname" .) }}
{{- $names := list "localhost" $service (printf "%s.%s" $service .Release.Namespace) (printf "%s.%s.svc" $service .Release.Namespace) }}
{{- range concat .Values.ingress.hosts .Values.httpRoute.hosts | uniq }}
{{- if not (hasPrefix "*" .) }}{{ $names = append $names . }}{{ end }}
{{- end }}
{{- join "," $names }}
{{- end }}

{{/* Annotations of what exists only while a hook runs. Context: [hooks, weight] */}}
{{- define "shelfwise.hook" -}}
helm.sh/hook: {{ index . 0 }}
helm.sh/hook-weight: {{ index . 1 | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded,hook-failed
{{- end }}

{{/* A rule of a network policy: with nobody to reach there is none, because an empty list means everybody. Context: [ports, peers] */}}
{{- define "shelfwise.egress" -}}
{{- if and (index . 0) (index . 1) -}}
- ports: {{- toYaml (index . 0) | nindent 4 }}
  to: {{- toYaml (index . 1) | nindent 4 }}
{{- end }}
{{- end }}
