/**
 * The chart on a real Kubernetes, from nothing: cluster, images, engines, installation, the main job, a rolling upgrade and a
 * rollback under load, a killed process, a refused eviction, more copies under load, scoring by itself, and an uninstallation that
 * leaves nothing behind. Prints the times. Needs root, Debian 12, and what deploy/cluster says.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createApi } from '../testing/system/api.ts';
import { createCertificates, startClusterEngines } from './lib/cluster-engines.ts';
import { createAccounts } from './lib/create-accounts.ts';
import { createExpectations } from './lib/expectations.ts';
import { startCluster } from './lib/kubernetes.ts';
import { askAssistants, attack, doMainJob, until } from './lib/main-job-steps.ts';
import { type SteadyResult, startSteadyCalls } from './lib/steady-calls.ts';

const { values } = parseArgs({ options: { keep: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) {
  console.log(`Usage: npm run cluster -- [--keep]

  --keep   leave the cluster and the release running until Ctrl-C`);
  process.exit(0);
}

const chart = new URL('../helm/shelfwise', import.meta.url).pathname;
const workspaces = [
  'gateway',
  'mcp',
  'services/tracking',
  'services/scoring',
  'services/store-fetch',
  'services/niche',
  'services/chart',
  'app',
];
const services = ['tracking', 'scoring', 'store-fetch', 'niche', 'chart'];
const namespace = 'shelfwise';
const largestImageBytes = 250e6;
const { expectThat, conclude } = createExpectations();
const startedAt = performance.now();
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const say = (title: string) => console.log(`\n# ${title} (after ${seconds(startedAt)})`);

const dir = mkdtempSync('/var/tmp/shelfwise-cluster-');
const cluster = await timed('a cluster', () => startCluster(join(dir, 'cluster')));
const { kubectl, helm } = cluster;
const engines = await timed('engines', () => startClusterEngines(dir));
try {
  await loadImages();
  await prepareNamespace(namespace);
  const url = await install();
  await checkConnections();
  const keys = (await createAccounts(engines.mongodbUri, 22)).map(({ key }) => key);
  // First, while few copies run: what follows takes CPU, too.
  await scaleOut(url, keys.slice(14));
  const [first = '', attacker = ''] = keys;
  say('the main job through the Service of the gateway');
  await doMainJob(createApi(url, first), expectThat);
  await askAssistants([url], first, expectThat);
  await attack([url], attacker, expectThat);
  await runCommands();
  await upgradeUnderLoad(url, keys.slice(2, 8));
  await killProcess(url, keys.slice(8, 14));
  await evict();
  await runScoringAlone();
  if (values.keep) await keepRunning(url);
  await uninstall();
} finally {
  await engines.stop();
  cluster.stop();
  rmSync(dir, { recursive: true, force: true });
}
console.log(`\n${seconds(startedAt)} in all`);
process.exitCode = conclude();

async function timed<Result>(name: string, run: () => Promise<Result> | Result): Promise<Result> {
  const since = performance.now();
  const result = await run();
  console.log(`${name}: ${seconds(since)}`);
  return result;
}

async function loadImages(): Promise<void> {
  say('images');
  for (const workspace of workspaces) {
    const bytes = await timed(workspace, () => cluster.loadImage(workspace));
    expectThat(bytes < largestImageBytes, `${Math.round(bytes / 1e6)} MB beyond the base`);
  }
}

/** Only pods of the restricted Pod Security Standard may run in it. */
async function prepareNamespace(name: string): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  // One certificate for all: the names that callers use.
  const hosts = [...services.map((service) => `shelfwise-${service}`), 'alone-shelfwise-scoring'];
  createCertificates(dir, 'services', ...hosts);
  const read = (file: string) => readFileSync(join(dir, 'services', file), 'utf8');
  const certificates = {
    'ca.crt': read('ca.crt'),
    'tls.crt': read('tls.crt'),
    'tls.key': read('tls.key'),
  };
  for (const [secret, stringData] of Object.entries({ ...engines.secrets, 'shelfwise-tls': certificates }))
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: secret, namespace: name },
      stringData,
    });
}

function release(name: string, into: string, ...more: string[]): string[] {
  const common = ['-n', into, '-f', join(chart, 'examples/ci.yaml'), '--wait', '--timeout', '5m'];
  return [name, chart, ...common, ...more];
}

async function install(): Promise<string> {
  say('helm install');
  await timed('installed and ready', () => helm('install', ...release('shelfwise', namespace)));
  const notes = await helm('get', 'notes', 'shelfwise', '-n', namespace);
  expectThat(/account -- create/.test(notes), 'the notes tell how to get a first key');
  const tested = await timed('helm test', () =>
    cluster.attempt('helm', ['test', 'shelfwise', '-n', namespace]),
  );
  console.log(tested.stdout.replaceAll(/^(?!ok |FAIL|The main).*\n/gm, ''));
  expectThat(
    tested.code === 0,
    `helm test succeeds ${tested.code === 0 ? '' : tested.stdout + tested.stderr}`,
  );
  const address = await kubectl(
    '-n',
    namespace,
    'get',
    'svc',
    'shelfwise-gateway',
    '-o',
    'jsonpath={.spec.clusterIP}',
  );
  return `http://${address}:8080`;
}

/** Services refuse callers without a certificate of the authority, and no process can write to its image. */
async function checkConnections(): Promise<void> {
  say('certificates and file systems');
  const address = await podAddress('tracking');
  const plain = await cluster.attempt('grpcurl', [
    '-plaintext',
    '-max-time',
    '5',
    `${address}:50051`,
    'list',
  ]);
  expectThat(plain.code !== 0, 'a plain call of a service is refused');
  const stranger = ['-cacert', join(dir, 'services/ca.crt'), '-servername', 'shelfwise-tracking'];
  const without = await cluster.attempt('grpcurl', [
    ...stranger,
    '-max-time',
    '5',
    `${address}:50051`,
    'list',
  ]);
  expectThat(without.code !== 0, 'so is one with TLS, but without a certificate');
  const known = [...stranger, '-cert', join(dir, 'services/tls.crt'), '-key', join(dir, 'services/tls.key')];
  const list = await cluster.attempt('grpcurl', [...known, '-max-time', '5', `${address}:50051`, 'list']);
  expectThat(
    list.stdout.includes('shelfwise.tracking.v1.TrackingService'),
    'one with a certificate is answered',
  );
  const write = [
    'exec',
    'deploy/shelfwise-gateway',
    '--',
    'node',
    '-e',
    "fs.writeFileSync('/shelfwise/x', '')",
  ];
  const written = await cluster.attempt('kubectl', ['-n', namespace, ...write]);
  const tools = ['typescript', 'jest', 'esbuild', '@swc/core', '@bufbuild/buf', '@biomejs/biome'];
  const look = `for name in ${tools.join(' ')}; do test -e /shelfwise/node_modules/$name && echo $name; done; command -v cc gcc g++ make python3; true`;
  for (const name of ['gateway', 'scoring', 'mcp', 'commands']) {
    const found = await kubectl('-n', namespace, 'exec', `deploy/shelfwise-${name}`, '--', 'sh', '-c', look);
    expectThat(found === '', `the image of ${name} has no development tool and no compiler ${found.trim()}`);
  }
  expectThat(/EROFS/.test(written.stderr), 'a process cannot write to its image');
}

async function podAddress(component: string, into = namespace): Promise<string> {
  const label = `app.kubernetes.io/component=${component}`;
  return kubectl('-n', into, 'get', 'pods', '-l', label, '-o', 'jsonpath={.items[0].status.podIP}');
}

/** What an operator does in the pod for commands. */
async function runCommands(): Promise<void> {
  say('commands');
  const command = (...words: string[]) =>
    cluster.attempt('kubectl', [
      ...['-n', namespace, 'exec', 'deploy/shelfwise-commands', '--', 'npm', 'run', '--silent'],
      ...words,
    ]);
  const email = 'operator@example.com';
  const created = await command('account', '--', 'create', '--email', email, '--plan', 'unlimited', '--json');
  expectThat(JSON.parse(created.stdout || '{}').key !== undefined, `an account ${created.stderr}`);
  const lag = await command('events', '--', 'lag');
  expectThat(lag.code === 0 && /scoring/.test(lag.stdout), `the events of each service ${lag.stderr}`);
  const explained = await command(
    ...['scores', '--', 'explain', '--store', 'ITUNES', '--country', 'US', '--keyword', 'habit tracker'],
  );
  expectThat(explained.code === 0, `the scores of a keyword explained ${explained.stderr}`);
  const status = await command('migrate', '--', '--status');
  expectThat(status.code === 0, `no pending migration ${status.stderr}`);
}

async function upgradeUnderLoad(url: string, keys: readonly string[]): Promise<void> {
  say('a rolling upgrade of every part, and back, under load');
  const load = await startSteadyCalls(url, keys);
  await sleep(5000);
  const warn = ['--set', 'settings.LOG_LEVEL=warn'];
  const upgrade = release('shelfwise', namespace, ...warn);
  await timed('upgraded', () => helm('upgrade', ...upgrade));
  const level = await kubectl(
    ...['-n', namespace, 'get', 'configmap', 'shelfwise-settings', '-o', 'jsonpath={.data.LOG_LEVEL}'],
  );
  expectThat(level === 'warn', 'the new settings are in use');
  const nonsense = ['--set', 'services.gateway.settings.TRUST_PROXY=nonsense'];
  const broken = release('shelfwise', namespace, ...warn, ...nonsense);
  const failed = await timed('a release whose gateway does not start', () =>
    cluster.attempt('helm', ['upgrade', ...broken.map((word) => (word === '5m' ? '20s' : word))]),
  );
  expectThat(failed.code !== 0, 'fails, and the copies before it go on');
  await timed('rolled back', () =>
    helm('rollback', 'shelfwise', '1', '-n', namespace, '--wait', '--timeout', '5m'),
  );
  await sleep(3000);
  report(await load.stop());
}

function report({ calls, failures, p50, p99 }: SteadyResult): void {
  expectThat(
    failures.length === 0,
    `${calls} calls, ${failures.length} failed; p50 ${p50} ms, p99 ${p99} ms`,
  );
  const shown = failures.length > 12 ? [...failures.slice(0, 6), '...', ...failures.slice(-6)] : failures;
  for (const failure of shown) console.log(`       ${failure}`);
}

async function killProcess(url: string, keys: readonly string[]): Promise<void> {
  say('a process of scoring killed under load that reads');
  const load = await startSteadyCalls(url, keys);
  await sleep(3000);
  const label = 'app.kubernetes.io/component=scoring';
  const pod = await kubectl(
    '-n',
    namespace,
    'get',
    'pods',
    '-l',
    label,
    '-o',
    'jsonpath={.items[0].metadata.name}',
  );
  // The process with pid 1 of a container ignores SIGKILL from within it.
  await cluster.attempt('kubectl', ['-n', namespace, 'delete', 'pod', pod, '--grace-period=0', '--force']);
  const since = performance.now();
  await kubectl('-n', namespace, 'rollout', 'status', 'deploy/shelfwise-scoring', '--timeout=120s');
  console.log(`  another one is ready after ${seconds(since)}`);
  await sleep(5000);
  report(await load.stop());
  const node = ['exec', 'deploy/shelfwise-chart', '--', 'node', '-e', 'process.kill(1, "SIGTERM")'];
  await kubectl('-n', namespace, ...node);
  const restarts = () =>
    kubectl(
      ...['-n', namespace, 'get', 'pods', '-l', 'app.kubernetes.io/component=chart'],
      ...['-o', 'jsonpath={.items[*].status.containerStatuses[0].restartCount}'],
    );
  const restarted = await until(60, async () => (await restarts()).includes('1'));
  expectThat(restarted !== null, `a process that ends is started again by the kubelet (${restarted} s)`);
  await kubectl('-n', namespace, 'rollout', 'status', 'deploy/shelfwise-chart', '--timeout=120s');
}

async function evict(): Promise<void> {
  say('evictions, as when a node is drained');
  // Copies of the releases before still take calls until all callers know.
  const hasTwo = await until(90, async () => (await listPods('niche')).length === 2);
  if (hasTwo === null) throw new Error('niche has not two pods');
  const [one = '', other = ''] = await listPods('niche');
  const evictPod = (name: string) => {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
    return cluster.attempt('kubectl', ['create', '--raw', path, '-f', '-'], JSON.stringify(eviction));
  };
  const allowed = await evictPod(one);
  const refused = await evictPod(other);
  expectThat(allowed.code === 0, `one of two copies may go ${allowed.stderr}`);
  expectThat(/disruption budget/.test(refused.stderr), `the other one may not: ${refused.stderr.trim()}`);
  await kubectl('-n', namespace, 'rollout', 'status', 'deploy/shelfwise-niche', '--timeout=120s');
}

async function listPods(component: string): Promise<string[]> {
  const label = `app.kubernetes.io/component=${component},app.kubernetes.io/instance=shelfwise`;
  const names = await kubectl('-n', namespace, 'get', 'pods', '-l', label, '-o', 'name');
  return names
    .trim()
    .split('\n')
    .map((name) => name.replace('pod/', ''));
}

async function scaleOut(url: string, keys: readonly string[]): Promise<void> {
  say('more copies of the gateway under load');
  const replicas = async () =>
    Number(
      await kubectl(
        '-n',
        namespace,
        'get',
        'deploy',
        'shelfwise-gateway',
        '-o',
        'jsonpath={.status.readyReplicas}',
      ),
    );
  const before = await replicas();
  // Beside calls that are answered, as many as one caller can send: most are refused, which costs CPU, too.
  const [key = '', ...others] = keys;
  const load = await startSteadyCalls(url, others);
  let isOver = false;
  let refused = 0;
  const burn = async () => {
    for (; !isOver; await sleep(5)) {
      const response = await fetch(`${url}/api/v1/account/usage`, { headers: { 'x-api-key': key } });
      await response.arrayBuffer();
      if (response.status === 429) refused++;
    }
  };
  const burning = burn();
  const grown = await until(240, async () => (await replicas()) > before);
  isOver = true;
  await burning;
  expectThat(
    grown !== null,
    `from ${before} to more ready copies after ${grown} s, with ${refused} refused calls`,
  );
  report(await load.stop());
}

/** A release of its own with nothing but scoring, which calls the store-fetch of the first one. */
async function runScoringAlone(): Promise<void> {
  say('scoring by itself');
  const more = ['-f', join(chart, 'examples/scoring-alone.yaml'), '--set', 'services.scoring.replicas=1'];
  await timed('installed', () => helm('install', ...release('alone', namespace, ...more)));
  const label = 'app.kubernetes.io/instance=alone,app.kubernetes.io/component=scoring';
  const address = () =>
    kubectl('-n', namespace, 'get', 'pods', '-l', label, '-o', 'jsonpath={.items[*].status.podIP}');
  const call = async (...words: string[]) => {
    const certificate = ['ca.crt', 'tls.crt', 'tls.key'].map((file) => join(dir, 'services', file));
    const flags = ['-cacert', '-cert', '-key'].flatMap((flag, index) => [flag, certificate[index] ?? '']);
    const [pod = ''] = (await address()).split(' ');
    return cluster.attempt('grpcurl', [
      ...[...flags, '-servername', 'alone-shelfwise-scoring', '-max-time', '30', ...words.slice(0, -1)],
      ...[`${pod}:50053`, words.at(-1) ?? ''],
    ]);
  };
  const question = JSON.stringify({
    storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
    keyword: 'habit tracker',
  });
  const explained = await call('-d', question, 'shelfwise.scoring.v1.ScoringService/ExplainScores');
  const { traffic, difficulty } = JSON.parse(explained.stdout || '{}').breakdown ?? {};
  expectThat(
    traffic !== undefined && difficulty !== undefined,
    `grpcurl gets scores: traffic ${traffic}, difficulty ${difficulty} ${explained.stderr}`,
  );
  await kubectl('-n', namespace, 'scale', 'deploy/alone-shelfwise-scoring', '--replicas=3');
  await kubectl('-n', namespace, 'rollout', 'status', 'deploy/alone-shelfwise-scoring', '--timeout=120s');
  expectThat(
    (await address()).split(' ').length === 3,
    'it has three copies, and the first release is as before',
  );
  await helm('uninstall', 'alone', '-n', namespace, '--wait');
}

async function uninstall(): Promise<void> {
  say('helm uninstall');
  await timed('uninstalled', () => helm('uninstall', 'shelfwise', '-n', namespace, '--wait'));
  const kinds = (await kubectl('api-resources', '--namespaced', '--verbs=list,delete', '-o', 'name'))
    .trim()
    .split('\n');
  const ofCluster = /^(events|events\.events\.k8s\.io|endpoints|leases)/;
  const left = await until(
    60,
    async () => (await listLeft(kinds.filter((kind) => !ofCluster.test(kind)))).length === 0,
  );
  expectThat(left !== null, `nothing of it is left ${left === null ? await listLeft(kinds) : ''}`);
}

/** What exists in the namespace besides what was there before the installation. */
async function listLeft(kinds: readonly string[]): Promise<string[]> {
  const names = await kubectl('-n', namespace, 'get', kinds.join(','), '-o', 'name', '--ignore-not-found');
  const own = new Set([...Object.keys(engines.secrets), 'shelfwise-tls'].map((name) => `secret/${name}`));
  const usual = ['configmap/kube-root-ca.crt', 'serviceaccount/default'];
  return names.split('\n').filter((name) => name !== '' && !own.has(name) && !usual.includes(name));
}

async function keepRunning(url: string): Promise<void> {
  console.log(
    `\n${url}\nexport KUBECONFIG=${join(dir, 'cluster/kubeconfig')}\nCtrl-C uninstalls and ends everything.`,
  );
  await new Promise<void>((resolve) => process.once('SIGINT', () => resolve()));
}
