{{/*
What every pod has: restricted Pod Security, no access to the API of Kubernetes, and the nodes that it may run on.
Context: [root, values of a service, or defaults]
*/}}
{{- define "shelfwise.pod" -}}
{{- $root := index . 0 }}{{ $values := index . 1 -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - { name: {{ . | quote }} }{{ end }}
{{- end }}
{{- with $values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
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

{{/* Environment variables by their names: numbers as people write them. */}}
{{- define "shelfwise.settings" -}}
{{- range $variable, $value := . }}
- { name: {{ $variable }}, value: {{ ternary ($value | int64) $value (and (kindIs "float64" $value) (eq (floor $value) $value)) | toString | quote }} }
{{- end }}
{{- end }}

{{/*
The environment that says how a process reaches engines and other processes.
Context: { root, component, engines, calls, hasCertificate, heapMi, hasPlans, mongodbSecret }
*/}}
{{- define "shelfwise.environment" -}}
{{- $root := .root }}{{ $values := $root.Values }}
{{- if .heapMi }}
- { name: NODE_OPTIONS, value: "--max-old-space-size={{ .heapMi }}" }
{{- end }}
{{- if has "mongodb" .engines }}
{{- $mongodb := ternary .mongodbSecret $values.mongodb.secret (not (empty (.mongodbSecret | default dict).name)) }}
- name: MONGODB_URI
  valueFrom: { secretKeyRef: { name: {{ $mongodb.name | quote }}, key: {{ $mongodb.key | quote }} } }
{{- with $values.mongodb.prefix }}
- { name: MONGODB_PREFIX, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if and (has "redis" .engines) $values.redis.secret.name }}
- name: REDIS_URL
  valueFrom: { secretKeyRef: { name: {{ $values.redis.secret.name | quote }}, key: {{ $values.redis.secret.key | quote }} } }
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
  valueFrom: { secretKeyRef: { name: {{ .secret.name | quote }}, key: {{ .secret.usernameKey | quote }} } }
- name: KAFKA_SASL_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .secret.name | quote }}, key: {{ .secret.passwordKey | quote }} } }
{{- end }}
{{- end }}
{{- end }}
{{- if .hasCertificate }}
{{- if include "shelfwise.isEncrypted" $root }}
- { name: GRPC_TLS_DIR, value: /etc/shelfwise/tls }
{{- else }}
- { name: GRPC_INSECURE, value: "true" }
- name: GRPC_SECRET
  valueFrom: { secretKeyRef: { name: {{ include "shelfwise.grpcSecret" $root | quote }}, key: {{ $values.grpcSecret.key | quote }} } }
{{- end }}
{{- end }}
{{- if eq .component "notify" }}
- name: SECRETS_KEY
  valueFrom: { secretKeyRef: { name: {{ include "shelfwise.secretsKey" $root | quote }}, key: {{ $values.secretsKey.key | quote }} } }
{{- with $values.smtp }}
{{- if .secret.name }}
- name: SMTP_URL
  valueFrom: { secretKeyRef: { name: {{ .secret.name | quote }}, key: {{ .secret.key | quote }} } }
- { name: MAIL_FROM, value: {{ required "Set smtp.from: whom the mails come from." .from | quote }} }
- { name: PUBLIC_URL, value: {{ required "Set publicUrl: links in mails lead there." $values.publicUrl | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- if .hasPlans }}
- { name: SHELFWISE_PLANS_FILE, value: /etc/shelfwise/plans/plans.json }
{{- end }}
{{- range .calls }}
{{- if eq . "mcp" }}
{{- $mcp := include "shelfwise.values" (list $root "mcp") | fromYaml }}
{{- if or $mcp.enabled $mcp.address }}
{{- include "shelfwise.httpAddress" (list $root "mcp" "MCP_URL") }}
- { name: MCP_HOSTS, value: {{ include "shelfwise.mcpHosts" $root | quote }} }
{{- end }}
{{- else if eq . "gateway" }}
{{- include "shelfwise.httpAddress" (list $root "gateway" "SHELFWISE_BASE_URL") }}
{{- else }}
- { name: {{ printf "%s_ADDRESS" (. | upper | replace "-" "_") }}, value: {{ include "shelfwise.address" (list $root .) | quote }} }
{{- end }}
{{- end }}
{{- end }}

{{/* What the gateway and the pod for commands, which makes sign-in links, know of the dashboard. Context: root */}}
{{- define "shelfwise.dashboard" -}}
- { name: DASHBOARD, value: {{ .Values.dashboard.enabled | quote }} }
{{- with .Values.publicUrl }}
- { name: PUBLIC_URL, value: {{ . | quote }} }
{{- end }}
{{- end }}

{{/*
The gateway and the assistant server call each other by HTTP within a release, and by HTTPS elsewhere: the calls carry the keys of
callers. Context: [root, name, variable]
*/}}
{{- define "shelfwise.httpAddress" -}}
{{- $root := index . 0 }}
{{- $isPlain := or (include "shelfwise.values" (list $root (index . 1)) | fromYaml).enabled (eq $root.Values.tls.mode "insecure") }}
- { name: {{ index . 2 }}, value: "{{ ternary "http" "https" $isPlain }}://{{ include "shelfwise.address" (list $root (index . 1)) }}" }
{{- if $isPlain }}
- { name: MCP_INSECURE, value: "true" }
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
{{- $values := index $values $engine }}
{{- with $values.tlsSecret }}
{{- /* Of a secret that has more, a process gets what it needs; an address of MongoDB may name further files. */}}
{{- $files := ternary (list "ca.crt" "tls.crt" "tls.key") (list "ca.crt") (eq true $values.clientCertificate) }}
- name: {{ $engine }}
  secret:
    secretName: {{ . | quote }}
    defaultMode: 0440
    {{- if ne $engine "mongodb" }}
    items: {{- range $files }}
      - { key: {{ . }}, path: {{ . }} }{{ end }}
    {{- end }}
{{- end }}
{{- end }}
{{- if .hasPlans }}
- { name: plans, configMap: { name: {{ include "shelfwise.fullname" .root }}-plans } }
{{- end }}
{{- end }}
