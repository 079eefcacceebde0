/**
 * Checks the chart with each file of helm/shelfwise/examples: helm lint, the schemas of Kubernetes (kubeconform), and the rules
 * that every process has to keep. Needs helm and kubeconform on the path: `bash deploy/without-docker/kubernetes/build.sh tools` builds them.
 *   npm run check-chart
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partNames } from '@shelfwise/app/distributed/plan-processes';
import { parseSecretsKey } from '@shelfwise/runtime/secrets/secrets-key';
import { parseAllDocuments } from 'yaml';
import { createExpectations } from '../../experiments/lib/expectations.ts';
import {
  findPodProblems,
  findPolicyProblems,
  findServiceProblems,
  findSettingProblems,
  type Manifest,
  settingsOf,
} from './chart-rules.ts';

const chart = new URL('../shelfwise', import.meta.url).pathname;
const schemas = new URL('../../deploy/schemas', import.meta.url).pathname;
const version = '1.34.4';
const alone = 'scoring-alone.yaml';
const { expectThat, conclude } = createExpectations();

for (const file of readdirSync(join(chart, 'examples'))) {
  // It is added to the values of another release.
  const before = file === alone ? ['-f', join(chart, 'examples/ci.yaml')] : [];
  const parts = file === alone ? ['scoring'] : partNames;
  const elsewhere = file === alone ? ['shelfwise-store-fetch:50052'] : [];
  checkRelease(file, render([...before, '-f', join(chart, 'examples', file)]), parts, elsewhere);
}
// What no example has.
const antiAffinity = {
  topologyKey: 'kubernetes.io/hostname',
  labelSelector: { matchLabels: { team: 'aso' } },
};
const rest = {
  httpRoute: { enabled: true, hosts: ['*.example.com', 'aso.example.com'], parentRefs: [{ name: 'public' }] },
  plans: { team: { api_access: true, limits: { apps: 3 } } },
  redis: { clientCertificate: true },
  kafka: { clientCertificate: true },
  image: { pullSecrets: ['registry'] },
  defaults: {
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ operator: 'Exists' }],
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [antiAffinity] } },
    podLabels: { team: 'aso' },
    podAnnotations: { 'example.com/team': 'aso' },
  },
  services: {
    gateway: {
      settings: { LOG_LEVEL: 'debug', MAX_CONNECTIONS: 1_000_000 },
      secretSettings: { OTEL_EXPORTER_OTLP_HEADERS: { name: 'collector', key: 'headers' } },
      mongodbSecret: { name: 'mongodb-of-accounts', key: 'uri' },
    },
  },
};
const production = ['-f', join(chart, 'examples/production.yaml')];
checkRelease(
  'production.yaml, with everything that it leaves out',
  renderWith(production, rest),
  partNames,
  [],
);
checkEffects();
checkRules();
checkNames();
checkRefusals();
process.exitCode = conclude();

/** What helm makes of these values, after helm lint. */
function render(files: readonly string[]): string {
  const values = ['--kube-version', version, ...files];
  const lint = spawnSync('helm', ['lint', '--strict', chart, ...values], { encoding: 'utf8' });
  if (lint.status !== 0) throw new Error(`helm lint: ${lint.stdout}${lint.stderr}`);
  return execFileSync('helm', ['template', 'shelfwise', chart, ...values], { encoding: 'utf8' });
}

function renderWith(files: readonly string[], values: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'check-chart-'));
  try {
    writeFileSync(join(folder, 'values.json'), JSON.stringify(values));
    return render([...files, '-f', join(folder, 'values.json')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function parse(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document): Manifest => document.toJS())
    .filter(Boolean);
}

function checkRelease(
  title: string,
  text: string,
  parts: readonly string[],
  elsewhere: readonly string[],
): void {
  console.log(`\n# ${title}`);
  checkSchemas(text);
  const manifests = parse(text);
  const keeps = (problems: readonly string[], rule: string) =>
    expectThat(problems.length === 0, `${rule} ${problems.join('; ')}`);
  keeps(findPodProblems(manifests), 'pods have few rights, limits and probes');
  keeps(findSettingProblems(manifests), 'settings, heaps and stops fit the processes');
  keeps(findServiceProblems(manifests, parts, elsewhere), 'callers find the services of all parts');
  keeps(findPolicyProblems(manifests), 'network policies let in and out what the design says');
}

function checkSchemas(text: string): void {
  const location = join(schemas, '{{.ResourceKind}}-{{.Group}}-{{.ResourceAPIVersion}}.json');
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
      ...['-schema-location', location, '-schema-location', core],
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

/** What some values mean that no example has. */
function checkEffects(): void {
  console.log('\n# values and what they mean');
  const away = { mcp: { enabled: false, address: 'mcp.example.com:443' } };
  const gateway = parse(renderWith(production, { services: away })).find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'shelfwise-gateway',
  );
  const { env } = gateway.spec.template.spec.containers[0];
  const value = (name: string) => env.find((one: Manifest) => one.name === name)?.value;
  expectThat(
    value('MCP_URL') === 'https://mcp.example.com:443' && value('MCP_INSECURE') === undefined,
    'an assistant server elsewhere is called by HTTPS',
  );
  const closed = {
    networkPolicy: { engines: [], stores: [], receivers: [], documents: [], dns: { to: [] }, metrics: [] },
  };
  const noMetrics = { monitoring: { serviceMonitor: { enabled: false } } };
  const rules = parse(renderWith(production, { ...closed, ...noMetrics }))
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ spec }) => [
      ...(spec.egress ?? []).map((rule: Manifest) => rule.to),
      ...spec.ingress.map((rule: Manifest) => rule.from),
    ]);
  expectThat(rules.length > 0 && rules.every((peers) => peers?.length > 0), 'an empty list opens nothing');
  checkDashboard();
  checkGrpcSecret();
  checkSecretsKey();
}

/** The gateway and the pod for commands, which makes sign-in links, know where browsers are and whether there is a dashboard. */
function checkDashboard(): void {
  const found = (values: object) =>
    parse(renderWith(production, values))
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ metadata, spec }) => {
        const { env } = spec.template.spec.containers[0];
        const value = (name: string) => env.find((one: Manifest) => one.name === name)?.value ?? 'none';
        const part = metadata.labels['app.kubernetes.io/component'];
        const both = `${value('DASHBOARD')} ${value('PUBLIC_URL')}`;
        return both === 'none none' ? [] : [`${part} ${both}`];
      })
      .sort()
      .join();
  const expected = (both: string) => `commands ${both},gateway ${both}`;
  expectThat(
    found({}) === expected('true https://aso.example.com'),
    'the gateway and the commands make links to publicUrl',
  );
  expectThat(
    found({ dashboard: { enabled: false }, publicUrl: '' }) === expected('false none'),
    'the dashboard can be switched off',
  );
  for (const values of [{ publicUrl: '' }, { dashboard: { enabled: false } }])
    expectThat(
      findPolicyProblems(parse(renderWith(production, values))).length === 0,
      `with ${JSON.stringify(values)} the gateway does not reach the internet`,
    );
}

/** Without certificates every process that serves or makes calls has the secret, by reference only. */
function checkGrpcSecret(): void {
  const small = ['-f', join(chart, 'examples/small.yaml')];
  const secretsOf = (manifests: readonly Manifest[]) =>
    manifests.filter(({ kind, metadata }) => kind === 'Secret' && metadata.name.endsWith('-grpc'));
  const referencesOf = (manifests: readonly Manifest[]) =>
    manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ metadata, spec }): [string, string | undefined] => [
        metadata.labels['app.kubernetes.io/component'],
        spec.template.spec.containers[0].env.find((one: Manifest) => one.name === 'GRPC_SECRET')?.valueFrom
          ?.secretKeyRef.name,
      ]);
  const hasAll = (manifests: readonly Manifest[], name: string | undefined) =>
    referencesOf(manifests).every(([part, found]) => found === (part === 'mcp' ? undefined : name));
  const text = render(small);
  const own = parse(text);
  const [secret] = secretsOf(own);
  const value = Buffer.from(secret?.data['grpc-secret'] ?? '', 'base64').toString();
  expectThat(
    secretsOf(own).length === 1 && /^\w{48}$/.test(value) && hasAll(own, secret?.metadata.name),
    'without certificates the chart makes a secret, which all but the assistant server refer to',
  );
  expectThat(!text.includes(value), 'no other object holds the secret');
  const named = parse(renderWith(small, { grpcSecret: { name: 'of-two-releases' } }));
  expectThat(
    secretsOf(named).length === 0 && hasAll(named, 'of-two-releases'),
    'a named secret is used, and none is made',
  );
  const encrypted = parse(render(production));
  expectThat(
    secretsOf(encrypted).length === 0 && hasAll(encrypted, undefined),
    'with certificates there is no secret',
  );
}

/** Only notify has the key of secrets, by reference, and an uninstall keeps it. */
function checkSecretsKey(): void {
  const referencesOf = (manifests: readonly Manifest[]) =>
    manifests
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ metadata, spec }) =>
        spec.template.spec.containers[0].env
          .filter((one: Manifest) => one.name === 'SECRETS_KEY')
          .map((one: Manifest) => [
            metadata.labels['app.kubernetes.io/component'],
            one.valueFrom?.secretKeyRef.name,
          ]),
      )
      .join();
  const keyOf = (manifests: readonly Manifest[]) =>
    manifests.find(({ kind, metadata }) => kind === 'Secret' && metadata.name.endsWith('-secrets-key'));
  const own = parse(render(production));
  const secret = keyOf(own);
  const text = Buffer.from(secret?.data['secrets-key'] ?? '', 'base64').toString();
  expectThat(
    parseSecretsKey(text) !== null &&
      secret?.metadata.annotations['helm.sh/resource-policy'] === 'keep' &&
      referencesOf(own) === `notify,${secret?.metadata.name}`,
    'the chart makes a key of secrets, which notify alone refers to',
  );
  const named = parse(renderWith(production, { secretsKey: { name: 'of-mine' } }));
  expectThat(
    keyOf(named) === undefined && referencesOf(named) === 'notify,of-mine',
    'a named key of secrets is used, and none is made',
  );
}

/** The rules find what is broken: each change of the manifests breaks one. */
function checkRules(): void {
  console.log('\n# broken manifests are found');
  const text = render(production);
  const of = (manifests: readonly Manifest[], kind: string, name: string) =>
    manifests.find((one) => one.kind === kind && one.metadata.name === `shelfwise-${name}`);
  const podOf = (manifests: readonly Manifest[]) => of(manifests, 'Deployment', 'scoring').spec.template.spec;
  const containerOf = (manifests: readonly Manifest[]) => podOf(manifests).containers[0];
  const policyOf = (manifests: readonly Manifest[], name: string) =>
    of(manifests, 'NetworkPolicy', name).spec;
  const services = (manifests: readonly Manifest[]) => findServiceProblems(manifests, partNames, []);
  const changes: [string, (manifests: Manifest[]) => void, (manifests: readonly Manifest[]) => string[]][] = [
    ['a user that may be root', (all) => delete podOf(all).securityContext.runAsNonRoot, findPodProblems],
    ['no seccomp profile', (all) => delete podOf(all).securityContext.seccompProfile, findPodProblems],
    ['a token', (all) => delete podOf(all).automountServiceAccountToken, findPodProblems],
    ['the account of another pod', (all) => (podOf(all).serviceAccountName = 'default'), findPodProblems],
    ['the network of the node', (all) => (podOf(all).hostNetwork = true), findPodProblems],
    ['a folder of the node', (all) => podOf(all).volumes.push({ hostPath: {} }), findPodProblems],
    [
      'an image that can be written',
      (all) => delete containerOf(all).securityContext.readOnlyRootFilesystem,
      findPodProblems,
    ],
    ['capabilities', (all) => delete containerOf(all).securityContext.capabilities, findPodProblems],
    ['no limit of memory', (all) => delete containerOf(all).resources.limits, findPodProblems],
    ['no requests', (all) => delete containerOf(all).resources.requests, findPodProblems],
    ['no version of the image', (all) => (containerOf(all).image = 'r/shelfwise:latest'), findPodProblems],
    ['no readiness probe', (all) => delete containerOf(all).readinessProbe, findPodProblems],
    [
      'a setting that is not read',
      (all) => containerOf(all).env.push({ name: 'TRUST_PROXY', value: '1' }),
      findSettingProblems,
    ],
    [
      'a heap that is too large',
      (all) => (containerOf(all).resources.limits.memory = '450Mi'),
      findSettingProblems,
    ],
    ['a short stop', (all) => (podOf(all).terminationGracePeriodSeconds = 40), findSettingProblems],
    ['a short drain', (all) => (containerOf(all).lifecycle.preStop.sleep.seconds = 5), findSettingProblems],
    ['another port of a Service', (all) => (of(all, 'Service', 'scoring').spec.ports[0].port = 1), services],
    ['no Service', (all) => all.splice(all.indexOf(of(all, 'Service', 'scoring')), 1), services],
    ['no Deployment', (all) => all.splice(all.indexOf(of(all, 'Deployment', 'niche')), 1), services],
    ['no policy', (all) => all.splice(all.indexOf(of(all, 'NetworkPolicy', 'niche')), 1), findPolicyProblems],
    ['a service that is open', (all) => delete policyOf(all, 'scoring').ingress[0].from, findPolicyProblems],
    [
      'a further caller',
      (all) =>
        policyOf(all, 'niche').ingress[0].from.push({
          podSelector: { matchLabels: { 'app.kubernetes.io/component': 'mcp' } },
        }),
      findPolicyProblems,
    ],
    ['a way to the internet', (all) => delete policyOf(all, 'scoring').egress[0].to, findPolicyProblems],
    ['an empty list of peers', (all) => (policyOf(all, 'chart').egress[0].to = []), findPolicyProblems],
    ['no way to the stores', (all) => policyOf(all, 'store-fetch').egress.pop(), findPolicyProblems],
    ['one direction only', (all) => policyOf(all, 'scoring').policyTypes.pop(), findPolicyProblems],
  ];
  for (const [what, change, findProblems] of changes) {
    const manifests = parse(text);
    const before = findProblems(manifests);
    change(manifests);
    const [problem] = findProblems(manifests);
    expectThat(before.length === 0 && problem !== undefined, `${what}: ${problem}`);
  }
}

/** The schema allows every setting that a process reads and the chart does not set itself. */
function checkNames(): void {
  const own =
    /^(MONGODB_|KAFKA_(BROKERS|TOPIC|TLS|SASL)|REDIS_(URL|TLS)|GRPC_|METRICS_|MCP_|OTEL_|PORT$|HOST$|PUBLIC_URL$|DASHBOARD$|SHELFWISE_|STOP_DELAY_|SECRETS_KEY$|SMTP_URL$|MAIL_FROM$)|_ADDRESS$/;
  const read = [...new Set(Object.values(settingsOf).flat())].filter((name) => !own.test(name)).sort();
  const { $defs } = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'));
  const allowed = [...$defs.variable.anyOf[0].enum].sort();
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
    ['publicUrl=aso.example.com', /publicUrl/],
    ['publicUrl=https://aso.example.com/aso', /publicUrl/],
    ['dashboard.enable=false', /enable/],
    ['settings.PUBLIC_URL=https://aso.example.com', /PUBLIC_URL/],
    ['smtp.secret.name=x', /Set smtp\.from/],
    ['monitoring.serviceMonitor.enabled=true', /needs networkPolicy\.metrics/],
    ['settings.STORE_PROXIES=http://proxy:3128', /STORE_PROXIES/],
    ['settings.OTEL_EXPORTER_OTLP_HEADERS=x', /OTEL_EXPORTER_OTLP_HEADERS/],
    ['networkPolicy.clients[0].podSelector.matchLabel.a=b', /matchLabel/],
    ['defaults.tolerations[0].keyy=x', /keyy/],
    ['plans.team.limits.app=1', /'app'/],
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
