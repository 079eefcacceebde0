/**
 * Checks the chart with each file of helm/shelfwise/examples: helm lint, the schemas of Kubernetes (kubeconform), and the rules
 * that every process has to keep. Needs helm and kubeconform on the path: `bash deploy/cluster/build.sh tools` builds them.
 *   npm run check-chart
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { partNames } from '@shelfwise/app/distributed/plan-processes';
import { chartConfig } from '@shelfwise/chart/config';
import { gatewayConfig } from '@shelfwise/gateway/config';
import { mcpConfig } from '@shelfwise/mcp/config';
import { nicheConfig } from '@shelfwise/niche/config';
import { scoringConfig } from '@shelfwise/scoring/config';
import { storeFetchConfig } from '@shelfwise/store-fetch/config';
import { trackingConfig } from '@shelfwise/tracking/config';
import { parseAllDocuments } from 'yaml';
import { createExpectations } from '../../experiments/lib/expectations.ts';

// biome-ignore lint/suspicious/noExplicitAny: a manifest of any kind
type Manifest = any;

const chart = new URL('../shelfwise', import.meta.url).pathname;
const schemas = new URL('../../deploy/schemas', import.meta.url).pathname;
const version = '1.34.4';
const alone = 'scoring-alone.yaml';
const { expectThat, conclude } = createExpectations();

const settingsOf: Record<string, readonly string[]> = {
  gateway: Object.keys(gatewayConfig.shape),
  tracking: Object.keys(trackingConfig.shape),
  scoring: Object.keys(scoringConfig.shape),
  'store-fetch': Object.keys(storeFetchConfig.shape),
  niche: Object.keys(nicheConfig.shape),
  chart: Object.keys(chartConfig.shape),
  mcp: Object.keys(mcpConfig.shape),
};
/** "Who calls whom" of docs/architecture.md. */
const callersOf: Record<string, readonly string[]> = {
  tracking: ['gateway', 'commands'],
  scoring: ['gateway', 'niche', 'commands'],
  'store-fetch': ['gateway', 'tracking', 'scoring', 'niche', 'chart'],
  niche: ['gateway'],
  chart: ['gateway'],
  mcp: ['gateway'],
};

for (const file of readdirSync(join(chart, 'examples'))) {
  // It is added to the values of another release.
  const before = file === alone ? ['-f', join(chart, 'examples/ci.yaml')] : [];
  checkRelease(
    file,
    [...before, '-f', join(chart, 'examples', file)],
    file === alone ? ['scoring'] : partNames,
  );
}
// What no example has.
const rest = {
  httpRoute: { enabled: true, hosts: ['*.example.com', 'aso.example.com'], parentRefs: [{ name: 'public' }] },
  plans: { team: { api_access: true, limits: { apps: 3 } } },
  redis: { clientCertificate: true },
  kafka: { clientCertificate: true },
  image: { pullSecrets: ['registry'] },
  defaults: {
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ operator: 'Exists' }],
    podLabels: { team: 'aso' },
  },
};
const restFile = join(mkdtempSync(join(tmpdir(), 'check-chart-')), 'values.json');
writeFileSync(restFile, JSON.stringify(rest));
checkRelease(
  'production.yaml, with everything that it leaves out',
  ['-f', join(chart, 'examples/production.yaml'), '-f', restFile],
  partNames,
);
rmSync(dirname(restFile), { recursive: true });
checkNames();
checkRefusals();
process.exitCode = conclude();

function checkRelease(title: string, files: readonly string[], parts: readonly string[]): void {
  console.log(`\n# ${title}`);
  const values = ['--kube-version', version, ...files];
  const lint = spawnSync('helm', ['lint', '--strict', chart, ...values], { encoding: 'utf8' });
  expectThat(lint.status === 0, `helm lint ${lint.status === 0 ? '' : lint.stdout + lint.stderr}`);
  const text = execFileSync('helm', ['template', 'shelfwise', chart, ...values], { encoding: 'utf8' });
  checkSchemas(text);
  const manifests = parseAllDocuments(text)
    .map((document): Manifest => document.toJS())
    .filter(Boolean);
  checkPods(manifests);
  checkSettings(manifests);
  checkServices(manifests, parts);
  checkPolicies(manifests);
}

function checkSchemas(text: string): void {
  const place = join(schemas, '{{.ResourceKind}}-{{.Group}}-{{.ResourceAPIVersion}}.json');
  const core = join(schemas, '{{.ResourceKind}}-{{.ResourceAPIVersion}}.json');
  const { status, stdout } = spawnSync(
    'kubeconform',
    [
      ...[
        '-strict',
        '-ignore-missing-schemas',
        '-output',
        'json',
        '-verbose',
        '-kubernetes-version',
        version,
      ],
      ...['-schema-location', place, '-schema-location', core],
    ],
    { input: text, encoding: 'utf8' },
  );
  const { resources } = JSON.parse(stdout) as {
    resources: { kind: string; name: string; status: string; msg: string }[];
  };
  const of = (state: string) => resources.filter((one) => one.status === state);
  const problems = resources.filter((one) => one.status !== 'statusValid' && one.status !== 'statusSkipped');
  expectThat(
    status === 0 && problems.length === 0 && of('statusValid').length > 0,
    `${of('statusValid').length} objects are as Kubernetes ${version} takes them ${problems.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`).join('; ')}`,
  );
  for (const { kind, name } of of('statusSkipped'))
    console.log(`  skipped: ${kind} ${name} has no schema in deploy/schemas`);
}

function checkPods(manifests: readonly Manifest[]): void {
  const problems: string[] = [];
  let count = 0;
  for (const manifest of manifests) {
    const spec = manifest.kind === 'Pod' ? manifest.spec : manifest.spec?.template?.spec;
    if (spec?.containers === undefined) continue;
    count++;
    const rule = (isKept: boolean, text: string) =>
      isKept || problems.push(`${manifest.metadata.name}: ${text}`);
    const pod = spec.securityContext ?? {};
    rule(pod.runAsNonRoot === true && pod.runAsUser > 0, 'runs as a user that is not root');
    rule(pod.seccompProfile?.type === 'RuntimeDefault', 'has the seccomp profile RuntimeDefault');
    rule(spec.automountServiceAccountToken === false, 'has no token of a service account');
    rule(
      manifest.kind === 'Pod' || spec.serviceAccountName !== undefined,
      'has a service account of its own',
    );
    rule(!spec.hostNetwork && !spec.hostPID && !spec.hostIPC, 'has nothing of the node');
    rule(!(spec.volumes ?? []).some((volume: Manifest) => volume.hostPath), 'mounts nothing of the node');
    for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
      const { securityContext: security = {}, resources = {} } = container;
      rule(security.allowPrivilegeEscalation === false, 'cannot gain rights');
      rule(security.readOnlyRootFilesystem === true, 'cannot write to its image');
      rule(security.capabilities?.drop?.includes('ALL'), 'has no capabilities');
      rule(resources.limits?.memory !== undefined, 'has a limit of memory');
      rule(resources.requests?.cpu !== undefined && resources.requests?.memory !== undefined, 'has requests');
      rule(!/(:latest|^[^:]+)$/.test(container.image), 'names the version of its image');
      if (manifest.kind === 'Deployment')
        for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
          rule(container[probe] !== undefined, `has a ${probe}`);
    }
  }
  expectThat(
    problems.length === 0 && count > 0,
    `${count} kinds of pods keep the rules ${problems.join('; ')}`,
  );
}

/** Every variable is one that the process reads, and the heap fits into the limit of memory. */
function checkSettings(manifests: readonly Manifest[]): void {
  const problems: string[] = [];
  for (const { name, container, manifest } of processes(manifests)) {
    const known = new Set([...(settingsOf[name] ?? []), 'NODE_OPTIONS']);
    for (const { name: variable } of container.env)
      if (!known.has(variable)) problems.push(`${name} does not read ${variable}`);
    const shared = manifests.find(
      ({ kind, metadata }) =>
        kind === 'ConfigMap' && metadata.name === container.envFrom[0].configMapRef.name,
    );
    const all = new Set(Object.values(settingsOf).flat());
    for (const variable of Object.keys(shared.data))
      if (!all.has(variable) && !variable.startsWith('OTEL_')) problems.push(`no process reads ${variable}`);
    const heap = Number(
      /=(\d+)/.exec(container.env.find((one: Manifest) => one.name === 'NODE_OPTIONS').value)?.[1],
    );
    const limit = toMebibytes(container.resources.limits.memory);
    if (!(heap <= 0.8 * limit)) problems.push(`${name}: a heap of ${heap} MiB in ${limit} MiB`);
    const grace = manifest.spec.template.spec.terminationGracePeriodSeconds;
    const before = container.lifecycle.preStop.sleep.seconds;
    if (grace < before + 10)
      problems.push(`${name}: ${grace} s are less than preStop and the ten seconds of a stop`);
  }
  expectThat(problems.length === 0, `settings, heaps and stops fit the processes ${problems.join('; ')}`);
}

/** Callers find each service at a port that it listens on, and there is a Deployment for each part. */
function checkServices(manifests: readonly Manifest[], parts: readonly string[]): void {
  const problems: string[] = [];
  const running = processes(manifests);
  const names = running.map(({ name }) => name).sort();
  if (names.join() !== [...parts].sort().join()) problems.push(`Deployments for ${names.join(', ')}`);
  for (const { name, container } of running) {
    const service = manifests.find(
      ({ kind, metadata }) => kind === 'Service' && metadata.name === `shelfwise-${name}`,
    );
    const portOf = (wanted: string) =>
      container.ports.find((port: Manifest) => port.name === wanted)?.containerPort;
    for (const { targetPort, port } of service.spec.ports)
      if (portOf(targetPort) !== port) problems.push(`Service ${name}: ${port} is not ${targetPort}`);
    for (const { name: variable, value } of container.env) {
      if (!/^(MCP_URL|SHELFWISE_BASE_URL|(TRACKING|SCORING|STORE_FETCH|NICHE|CHART)_ADDRESS)$/.test(variable))
        continue;
      const [, host, port] = /^(?:http:\/\/)?([^:]+):(\d+)$/.exec(value) ?? [];
      const called = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === host);
      if (called === undefined && value === 'shelfwise-store-fetch:50052' && parts !== partNames) continue;
      if (!called?.spec.ports.some((one: Manifest) => one.port === Number(port)))
        problems.push(`${name}: ${variable} ${value} is no Service`);
    }
  }
  expectThat(
    problems.length === 0,
    `${running.length} parts and their Services fit together ${problems.join('; ')}`,
  );
}

/** In from outside: the gateway only. Out to the internet: store-fetch only. In between: who calls whom. */
function checkPolicies(manifests: readonly Manifest[]): void {
  const problems: string[] = [];
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const component = (labels: Record<string, string>) => labels['app.kubernetes.io/component'];
  const isEverywhere = (peer: Manifest) => peer.ipBlock?.cidr === '0.0.0.0/0';
  for (const manifest of manifests.filter(({ kind }) => kind === 'Deployment')) {
    const name = component(manifest.metadata.labels) ?? '';
    const own = policies.filter(({ spec }) => component(spec.podSelector.matchLabels) === name);
    if (own.length !== 1) problems.push(`${name} has ${own.length} policies`);
    const { ingress = [], egress = [], policyTypes } = own[0].spec;
    if (policyTypes.length !== 2) problems.push(`${name}: not both directions`);
    const ofMetrics = (rule: Manifest) => rule.ports.every((port: Manifest) => port.port === 'metrics');
    const isOpen = (rule: Manifest) => !rule.from || rule.from.some((peer: Manifest) => !peer.podSelector);
    if (name !== 'gateway' && ingress.some((rule: Manifest) => isOpen(rule) && !ofMetrics(rule)))
      problems.push(`${name} is open`);
    const callers: string[] = ingress
      .filter((rule: Manifest) => !ofMetrics(rule))
      .flatMap((rule: Manifest) => rule.from ?? [])
      .filter((peer: Manifest) => peer.podSelector)
      .map((peer: Manifest) => component(peer.podSelector.matchLabels))
      // Those of other releases.
      .filter((one: string | undefined) => one !== undefined);
    if (callersOf[name] && callers.sort().join() !== [...callersOf[name]].sort().join())
      problems.push(`${name} is called by ${callers}`);
    const open = egress.filter((rule: Manifest) => !rule.to || rule.to.some(isEverywhere));
    if (open.length > 0 !== (name === 'store-fetch'))
      problems.push(`${name} reaches the internet: ${open.length > 0}`);
  }
  expectThat(problems.length === 0, `${policies.length} network policies ${problems.join('; ')}`);
}

/** The schema allows every setting that a process reads and the chart does not set itself. */
function checkNames(): void {
  const own =
    /^(MONGODB_|KAFKA_(BROKERS|TOPIC|TLS|SASL)|REDIS_(URL|TLS)|GRPC_|METRICS_|MCP_|OTEL_|PORT$|HOST$|SHELFWISE_)|_ADDRESS$/;
  const read = [...new Set(Object.values(settingsOf).flat())].filter((name) => !own.test(name)).sort();
  const { $defs } = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
  const allowed = [...$defs.variables.propertyNames.anyOf[0].enum].sort();
  console.log('\n# values.schema.json');
  expectThat(
    allowed.join() === read.join(),
    `settings are those that processes read: ${read.filter((name) => !allowed.includes(name))} missing, ${allowed.filter((name) => !read.includes(name))} unknown`,
  );
}

/** Values that would not do what they say are refused with a sentence. */
function checkRefusals(): void {
  console.log('\n# values that are refused');
  const small = ['--kube-version', version, '-f', join(chart, 'examples/small.yaml')];
  for (const [set, expected] of [
    ['services.gatewy.replicas=1', /gatewy/],
    ['services.gateway.replica=1', /replica/],
    ['settings.store_source=live', /store_source/],
    ['settings.LOG_LEVL=debug', /LOG_LEVL/],
    ['settings.MONGODB_PREFIX=x', /MONGODB_PREFIX/],
    ['image.registry=', /Set image\.registry/],
    ['kafka.tlsSecret=x', /kafka\.tls: true/],
    ['kafka.sasl.mechanism=plain', /kafka\.sasl\.secret\.name/],
    ['tls.mode=mtls', /mode/],
    ['tls.mode=', /Set tls\.mode: certManager/],
    ['tls.mode=secret', /tls\.secretName/],
    ['services.gateway.replicas=2', /need Redis/],
    ['kafka.brokers=', /set kafka\.brokers/],
    ['services.store-fetch.enabled=false', /set services\.store-fetch\.address/],
    ['ingress.enabled=true', /ingress\.hosts/],
  ] as const) {
    const { status, stderr } = spawnSync('helm', ['template', 'shelfwise', chart, ...small, '--set', set], {
      encoding: 'utf8',
    });
    expectThat(
      status !== 0 && expected.test(stderr),
      `${set}: ${stderr
        .split('\n')
        .find((line) => expected.test(line))
        ?.replace(/.*: (?=[A-Z])/, '')}`,
    );
  }
}

function toMebibytes(quantity: string): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(amount) * (unit === 'Gi' ? 1024 : 1);
}

/** The containers of the gateway, the services and the assistant server. */
function processes(manifests: readonly Manifest[]) {
  return manifests
    .filter(
      ({ kind, metadata }) =>
        kind === 'Deployment' && metadata.labels['app.kubernetes.io/component'] !== 'commands',
    )
    .map((manifest) => {
      const [container] = manifest.spec.template.spec.containers;
      return { name: container.name as string, container, manifest };
    });
}
