{{- define "quittance.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "quittance.selector" -}}
app.kubernetes.io/name: quittance
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "quittance.labels" -}}
{{ include "quittance.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "quittance.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "quittance.container" -}}
image: {{ include "quittance.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "quittance.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- /* The pod of a role: (dict "root" $ "role" "api" "values" .Values.api). */ -}}
{{- define "quittance.deployment" -}}
{{- $ := .root -}}
{{- $role := .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "quittance.name" $ }}-{{ $role }}
  labels: {{- include "quittance.labels" $ | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  {{- if not .scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "quittance.selector" $ | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  template:
    metadata:
      labels: {{- include "quittance.labels" $ | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
      annotations:
        checksum/settings: {{ toJson (list $.Values.settings $.Values.chains) | sha256sum }}
        {{- with $.Values.podAnnotations }}{{ toYaml . | nindent 8 }}{{ end }}
    spec:
      serviceAccountName: {{ include "quittance.name" $ }}
      automountServiceAccountToken: false
      # Else Kubernetes sets a variable for each service of the namespace.
      enableServiceLinks: false
      {{- with $.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      # A process ends by itself within SHUTDOWN_SECONDS, and is unready for the first third of them.
      terminationGracePeriodSeconds: {{ add (int ($.Values.settings.SHUTDOWN_SECONDS | default 30)) 10 }}
      securityContext: {{- include "quittance.podSecurity" $ | nindent 8 }}
      {{- with $.Values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $.Values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "quittance.selector" $ | nindent 14 }}
              app.kubernetes.io/component: {{ $role }}
        {{- end }}
      containers:
        - name: {{ $role }}
          {{- include "quittance.container" $ | nindent 10 }}
          env:
            - { name: ROLES, value: {{ $role }} }
            {{- range $name, $value := $.Values.settings }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
            {{- range $.Values.secrets.keys }}
            - { name: {{ . }}_FILE, value: /run/secrets/quittance/{{ . }} }
            {{- end }}
            - { name: SIGNING_KEY_FILE, value: /run/secrets/quittance/{{ $.Values.secrets.signingKey }} }
            {{- if $.Values.chains }}
            - { name: CHAINS_FILE, value: /etc/quittance/chains.json }
            {{- end }}
          ports:
            {{- if eq $role "api" }}
            - { name: http, containerPort: 8000 }
            {{- end }}
            - { name: probes, containerPort: 9464 }
          # A start has five minutes; afterwards only a process that hangs is started again, not one without its database.
          startupProbe:
            httpGet: { path: /livez, port: probes }
            periodSeconds: 2
            failureThreshold: 150
          livenessProbe:
            httpGet: { path: /livez, port: probes }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: probes }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 2
          resources: {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - { name: secrets, mountPath: /run/secrets/quittance, readOnly: true }
            - { name: tmp, mountPath: /tmp }
            {{- if $.Values.chains }}
            - { name: chains, mountPath: /etc/quittance, readOnly: true }
            {{- end }}
      volumes:
        - name: secrets
          secret: { secretName: {{ $.Values.secrets.name }}, defaultMode: 0440 }
        - name: tmp
          emptyDir: {}
        {{- if $.Values.chains }}
        - name: chains
          configMap: { name: {{ include "quittance.name" $ }}-chains }
        {{- end }}
{{- end -}}
