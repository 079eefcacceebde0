{{/* What every pod has: restricted Pod Security, and no access to the API of Kubernetes. */}}
{{- define "shelfwise.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - { name: {{ . }} }{{ end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "shelfwise.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/*
The environment that says how a process reaches engines and other processes.
Context: { root, component, engines, calls, hasCertificate, heapMi, hasPlans }
*/}}
{{- define "shelfwise.environment" -}}
{{- $root := .root }}{{ $values := $root.Values }}
{{- if .heapMi }}
- { name: NODE_OPTIONS, value: "--max-old-space-size={{ .heapMi }}" }
{{- end }}
{{- if has "mongodb" .engines }}
- name: MONGODB_URI
  valueFrom: { secretKeyRef: { name: {{ $values.mongodb.secret.name }}, key: {{ $values.mongodb.secret.key }} } }
{{- with $values.mongodb.prefix }}
- { name: MONGODB_PREFIX, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if and (has "redis" .engines) $values.redis.secret.name }}
- name: REDIS_URL
  valueFrom: { secretKeyRef: { name: {{ $values.redis.secret.name }}, key: {{ $values.redis.secret.key }} } }
{{- if $values.redis.tlsSecret }}
- { name: REDIS_TLS_CA, value: /etc/shelfwise/redis/ca.crt }
{{- if $values.redis.clientCertificate }}
- { name: REDIS_TLS_CERT, value: /etc/shelfwise/redis/tls.crt }
- { name: REDIS_TLS_KEY, value: /etc/shelfwise/redis/tls.key }
{{- end }}
{{- end }}
{{- end }}
{{- if and (has "kafka" .engines) $values.kafka.brokers }}
- { name: KAFKA_BROKERS, value: {{ $values.kafka.brokers | quote }} }
{{- with $values.kafka.topicPrefix }}
- { name: KAFKA_TOPIC_PREFIX, value: {{ . | quote }} }
{{- end }}
{{- if $values.kafka.tls }}
- { name: KAFKA_TLS, value: "true" }
{{- if $values.kafka.tlsSecret }}
- { name: KAFKA_TLS_CA, value: /etc/shelfwise/kafka/ca.crt }
{{- if $values.kafka.clientCertificate }}
- { name: KAFKA_TLS_CERT, value: /etc/shelfwise/kafka/tls.crt }
- { name: KAFKA_TLS_KEY, value: /etc/shelfwise/kafka/tls.key }
{{- end }}
{{- end }}
{{- end }}
{{- with $values.kafka.sasl }}
{{- if .mechanism }}
- { name: KAFKA_SASL_MECHANISM, value: {{ .mechanism | quote }} }
- name: KAFKA_SASL_USERNAME
  valueFrom: { secretKeyRef: { name: {{ .secret.name }}, key: {{ .secret.usernameKey }} } }
- name: KAFKA_SASL_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .secret.name }}, key: {{ .secret.passwordKey }} } }
{{- end }}
{{- end }}
{{- end }}
{{- if .hasCertificate }}
{{- if include "shelfwise.isEncrypted" $root }}
- { name: GRPC_TLS_DIR, value: /etc/shelfwise/tls }
{{- else }}
- { name: GRPC_INSECURE, value: "true" }
{{- end }}
{{- end }}
{{- if .hasPlans }}
- { name: SHELFWISE_PLANS_FILE, value: /etc/shelfwise/plans/plans.json }
{{- end }}
{{- range .calls }}
{{- if eq . "mcp" }}
{{- $mcp := include "shelfwise.values" (list $root "mcp") | fromYaml }}
{{- if or $mcp.enabled $mcp.address }}
- { name: MCP_URL, value: "http://{{ include "shelfwise.address" (list $root "mcp") }}" }
- { name: MCP_INSECURE, value: "true" }
- { name: MCP_HOSTS, value: {{ include "shelfwise.mcpHosts" $root | quote }} }
{{- end }}
{{- else if eq . "gateway" }}
- { name: SHELFWISE_BASE_URL, value: "http://{{ include "shelfwise.address" (list $root "gateway") }}" }
- { name: MCP_INSECURE, value: "true" }
{{- else }}
- { name: {{ printf "%s_ADDRESS" (. | upper | replace "-" "_") }}, value: {{ include "shelfwise.address" (list $root .) | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* The files that a process reads: certificates. Context: as of shelfwise.environment */}}
{{- define "shelfwise.mounts" -}}
{{- $values := .root.Values }}
{{- if and .hasCertificate (include "shelfwise.isEncrypted" .root) }}
- { name: tls, mountPath: /etc/shelfwise/tls, readOnly: true }
{{- end }}
{{- range .engines }}
{{- if (index $values .).tlsSecret }}
- { name: {{ . }}, mountPath: /etc/shelfwise/{{ . }}, readOnly: true }
{{- end }}
{{- end }}
{{- if .hasPlans }}
- { name: plans, mountPath: /etc/shelfwise/plans, readOnly: true }
{{- end }}
{{- end }}

{{- define "shelfwise.volumes" -}}
{{- $values := .root.Values }}
{{- if and .hasCertificate (include "shelfwise.isEncrypted" .root) }}
- { name: tls, secret: { secretName: {{ include "shelfwise.certificateSecret" (list .root .component) }}, defaultMode: 0440 } }
{{- end }}
{{- range $engine := .engines }}
{{- with (index $values $engine).tlsSecret }}
- { name: {{ $engine }}, secret: { secretName: {{ . }}, defaultMode: 0440 } }
{{- end }}
{{- end }}
{{- if .hasPlans }}
- { name: plans, configMap: { name: {{ include "shelfwise.fullname" .root }}-plans } }
{{- end }}
{{- end }}
