import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { createApi } from '../testing/system/api.ts';
import { bareProgram } from './lib/bare-run.ts';
import { createCertificates } from './lib/certificates.ts';
import { startClusterEngines } from './lib/cluster-engines.ts';
import { createAccounts } from './lib/create-accounts.ts';
import { createExpectations } from './lib/expectations.ts';
import { noFailedCall } from './lib/judge-on-machine.ts';
import { startCluster } from './lib/kubernetes.ts';
import { sumLocalDecisions } from './lib/local-decisions.ts';
import { askAssistants, attack, doMainJob, until } from './lib/main-job-steps.ts';
import { readOptions } from './lib/options.ts';
import { type SteadyResult, startSteadyCalls } from './lib/steady-calls.ts';
import { startSteadyVisits } from './lib/steady-visits.ts';

const values = readOptions(
  'npm run cluster',
  `The chart on a real Kubernetes: images, engines, installation, the main job, a rolling upgrade and a rollback under load, a killed
process, a refused eviction, more copies under load, scoring by itself, and an uninstallation that leaves nothing behind. Prints the
times. Without --kubeconfig and KUBECONFIG it starts a cluster of its own, which needs root, Debian 12, and what
deploy/without-docker/kubernetes says. A given one needs a metrics-server, nodes that this machine reaches, and no namespace
"shelfwise", in which everything happens; on this machine it needs kubectl, helm and grpcurl.`,
  {
    kubeconfig: [process.env.KUBECONFIG ?? '', 'a cluster that runs: kind, minikube, a real one'],
    host: [
      '',
      'with it: the address of this machine as pods see it, where Redis, Kafka and the database listen',
    ],
    load: [
      '',
      "with it: gives it an image that Docker has built, such as 'kind load docker-image'; without, it has local/shelfwise-*:1",
    ],
    images: [
      '',
      'without it: a folder of archives that image.sh has made of this checkout, such as gateway.tar: they are not built again',
    ],
    keep: [false, 'leave the cluster and the release running until Ctrl-C'],
    serve: [
      0,
      'check nothing: install the release with N accounts, print how to put a load on it, and leave it running until Ctrl-C',
    ],
  },
);
const { kubeconfig, host, load, images } = values;
if (kubeconfig !== '' && host === '')
  throw new Error('--host is missing: how do pods of the given cluster reach this machine?');

const chart = new URL('../helm/shelfwise', import.meta.url).pathname;
const services = ['tracking', 'scoring', 'store-fetch', 'niche', 'chart', 'notify'];
const workspaces = ['gateway', 'mcp', ...services.map((name) => `services/${name}`), 'app'];
const namespace = 'shelfwise';
/** It outlives the release. */
const secretsKey = 'secret/shelfwise-secrets-key';
const largestImageBytes = 250e6;
let hasNamespace = false;
const expectations = createExpectations();
const { expectThat, expectOnMachine, conclude } = expectations;
const startedAt = performance.now();
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const say = (title: string) => console.log(`\n# ${title} (after ${seconds(startedAt)})`);

const stop = firstSignal(process, { stopWithinMs: 120_000 });
const stopped = once(stop, 'abort').then(() => false);
const dir = mkdtempSync('/var/tmp/shelfwise-cluster-');
const ownCertificate = ['-cert', join(dir, 'services/tls.crt'), '-key', join(dir, 'services/tls.key')];
process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
const cluster = await timed('a cluster', () =>
  startCluster(join(dir, 'cluster'), kubeconfig === '' ? null : { kubeconfig, host, load }, images),
);
const engines = await timed('engines', () => startClusterEngines(dir, cluster.host));
try {
  const isDone = await Promise.race([
    (values.serve === 0 ? check() : serve(values.serve)).then(() => true),
    stopped,
  ]);
  expectThat(isDone, 'the check came to its end');
  if (isDone && (values.keep || values.serve > 0)) await stopped;
} finally {
  await engines.stop();
  if (hasNamespace && kubeconfig !== '') await cluster.attempt('kubectl', ['delete', 'namespace', namespace]);
  await cluster.stop();
}
console.log(`\n${seconds(startedAt)} in all`);
process.exit(conclude());

async function check(): Promise<void> {
  await loadImages();
  await prepareNamespace();
  const url = await install();
  await checkConnections();
  const keys = (await createAccounts(engines.mongodbUri, 22)).map(({ key }) => key);
  const bareUrl = await startBarePod();
  // First, while few copies run: what follows takes CPU, too.
  await scaleOut(url, keys.slice(14), bareUrl);
  const [first = '', attacker = ''] = keys;
  say('the main job through the Service of the gateway');
  await doMainJob(createApi(url, first, { isPatient: true }), expectThat);
  await askAssistants([url], first, expectThat);
  await attack([url], attacker, expectations, countWithoutRedis);
  await runCommands();
  await upgradeUnderLoad(url, keys.slice(2, 8), { visitor: attacker, bareUrl });
  await untilCalm(url, first);
  await killProcess(url, keys.slice(8, 14), bareUrl);
  await kubectl('delete pod bare');
  await evict();
  await runScoringAlone();
  if (values.keep) console.log(`\n${url}\nexport KUBECONFIG=${cluster.kubeconfig}\nCtrl-C ends everything.`);
  else await uninstall();
}

/** For load tests: the copies stay as many as they are at the beginning. */
async function serve(accounts: number): Promise<void> {
  await loadImages();
  await prepareNamespace();
  const url = await install('--set', 'services.gateway.autoscaling.enabled=false');
  const accountsFile = join(dir, 'accounts.json');
  const words = `account -- create --email load@example.com --plan unlimited --count ${accounts} --json`;
  writeFileSync(accountsFile, await kubectl(`exec deploy/shelfwise-commands -- npm run --silent ${words}`));
  const pages: string[] = [];
  for (const part of ['gateway', ...services]) {
    for (const [index, address] of (await reachPods('shelfwise', part, 9464)).entries())
      pages.push(`--metrics ${part}-${index + 1}=http://${address}/metrics`);
  }
  // The database and the ports of all engines are in this process.
  const pids = Object.entries({ ...engines.pids, database: process.pid }).map(
    ([name, pid]) => `--pid ${name}=${pid}`,
  );
  const options = [`--url ${url}`, `--accounts ${accountsFile}`, ...pages, ...pids].join(' \\\n  ');
  console.log(`\nnpm run load-test -- average ${options}\n\nCtrl-C ends everything.`);
}

async function timed<Result>(name: string, run: () => Promise<Result> | Result): Promise<Result> {
  const since = performance.now();
  const result = await run();
  console.log(`${name}: ${seconds(since)}`);
  return result;
}

/** kubectl in the namespace of the releases: the words of a line, then further ones, which may have spaces. */
function kubectl(line: string, ...words: string[]): Promise<string> {
  return cluster.kubectl('-n', namespace, ...line.split(' '), ...words);
}

/** The same, whatever its exit code. */
function tryKubectl(line: string, ...words: string[]) {
  return cluster.attempt('kubectl', ['-n', namespace, ...line.split(' '), ...words]);
}

/** helm with a release of the chart. */
function helmRelease(line: string, ...words: string[]): Promise<string> {
  return cluster.helm(...releaseWords(line, ...words));
}

function releaseWords(line: string, ...words: string[]): string[] {
  const settings = [
    '-f',
    join(chart, 'examples/ci.yaml'),
    '--set',
    `kafka.brokers=${cluster.host.name}:9092`,
  ];
  const common = ['-n', namespace, ...settings, '--wait', '--timeout', '5m'];
  return [...line.split(' '), chart, ...common, ...words];
}

/** Waits until all copies of a part are new and ready. */
function waitForRollout(deployment: string): Promise<string> {
  return kubectl(`rollout status deploy/${deployment} --timeout=300s`);
}

async function loadImages(): Promise<void> {
  say('images');
  for (const workspace of workspaces) {
    const bytes = await timed(workspace, () => cluster.loadImage(workspace));
    if (bytes !== null)
      expectThat(bytes < largestImageBytes, `${Math.round(bytes / 1e6)} MB beyond the base`);
  }
}

/** Only pods of the restricted Pod Security Standard may run in it. */
async function prepareNamespace(): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  // In a given cluster it may belong to others: it would be changed, and deleted at the end.
  const { code } = await cluster.attempt('kubectl', ['get', 'namespace', namespace]);
  if (code === 0) throw new Error(`the cluster has a namespace ${namespace}`);
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } });
  hasNamespace = true;
  // One certificate for all: the names that callers use.
  const hosts = [...services.map((service) => `shelfwise-${service}`), 'alone-shelfwise-scoring'];
  createCertificates(dir, 'services', ...hosts);
  const certificates = Object.fromEntries(
    ['ca.crt', 'tls.crt', 'tls.key'].map((file) => [file, readFileSync(join(dir, 'services', file), 'utf8')]),
  );
  for (const [name, stringData] of Object.entries({ ...engines.secrets, 'shelfwise-tls': certificates }))
    await cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData });
}

async function install(...words: string[]): Promise<string> {
  say('helm install');
  await timed('installed and ready', () => helmRelease('install shelfwise', ...words));
  const notes = await cluster.helm('get', 'notes', 'shelfwise', '-n', namespace);
  expectThat(/account -- create/.test(notes), 'the notes tell how to get a first key');
  const { code, stdout, stderr } = await timed('helm test', () =>
    cluster.attempt('helm', ['test', 'shelfwise', '-n', namespace]),
  );
  console.log(stdout.replaceAll(/^(?!ok |FAIL|The main).*\n/gm, ''));
  expectThat(code === 0, `helm test succeeds ${code === 0 ? '' : stdout + stderr}`);
  return `http://${await cluster.reachService(namespace, 'shelfwise-gateway', 8080)}`;
}

/** grpcurl with a service as its certificate names it, at an address in the cluster. */
function grpcurl(server: string, address: string, options: readonly string[], ...words: string[]) {
  const trust = ['-cacert', join(dir, 'services/ca.crt'), '-servername', server];
  return cluster.attempt('grpcurl', [
    ...['-max-time', '30', ...(options.includes('-plaintext') ? [] : trust)],
    ...[...options, address, ...words],
  ]);
}

/** Services refuse callers without a certificate of the authority, and no process can write to its image. */
async function checkConnections(): Promise<void> {
  say('certificates and file systems');
  const list = async (...options: string[]) =>
    grpcurl('shelfwise-tracking', await reachPod('shelfwise', 'tracking', 50051), options, 'list');
  const isAnswered = ({ stdout }: { stdout: string }) =>
    stdout.includes('shelfwise.tracking.v1.TrackingService');
  expectThat(!isAnswered(await list('-plaintext')), 'a plain call of a service is refused');
  expectThat(!isAnswered(await list()), 'so is one with TLS, but without a certificate');
  expectThat(isAnswered(await list(...ownCertificate)), 'one with a certificate is answered');
  const tools = ['typescript', 'jest', 'esbuild', '@swc/core', '@bufbuild/buf', '@biomejs/biome'];
  const look = `for name in ${tools.join(' ')}; do test -e /shelfwise/node_modules/$name && echo $name; done; command -v cc gcc g++ make python3; true`;
  for (const name of ['gateway', 'scoring', 'mcp', 'commands']) {
    const found = await kubectl(`exec deploy/shelfwise-${name} -- sh -c`, look);
    expectThat(found === '', `the image of ${name} has no development tool and no compiler ${found.trim()}`);
  }
  const write = "fs.writeFileSync('/shelfwise/x', '')";
  const { stderr } = await tryKubectl('exec deploy/shelfwise-gateway -- node -e', write);
  expectThat(/EROFS/.test(stderr), 'a process cannot write to its image');
}

/** A bare server with the gateway's share of the processors: pods wait for them longer than processes of this machine. Its URL. */
async function startBarePod(): Promise<string> {
  const port = 8081;
  const env = Object.entries({ HOST: '0.0.0.0', PORT: String(port) }).map(([name, value]) => ({
    name,
    value,
  }));
  const containerSecurity = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  const bare = {
    name: 'bare',
    image: 'local/shelfwise-gateway:1',
    imagePullPolicy: 'Never',
    command: ['node', '--input-type=module', '-e', readFileSync(bareProgram, 'utf8')],
    env,
    resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: containerSecurity,
  };
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'bare', namespace },
    spec: {
      containers: [bare],
      terminationGracePeriodSeconds: 0,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    },
  });
  await kubectl('wait --for=condition=Ready pod/bare --timeout=60s');
  return `http://${await cluster.reachPod(namespace, 'bare', port)}`;
}

function podsOf(release: string, part: string): string {
  return `get pods -l app.kubernetes.io/component=${part},app.kubernetes.io/instance=${release}`;
}

async function listPods(part: string, release = 'shelfwise'): Promise<string[]> {
  const names = await kubectl(`${podsOf(release, part)} -o jsonpath={.items[*].metadata.name}`);
  return names.split(' ');
}

/** Where this machine reaches a port of each pod of a part. */
async function reachPods(release: string, part: string, port: number): Promise<string[]> {
  const pods = await listPods(part, release);
  return Promise.all(pods.map((pod) => cluster.reachPod(namespace, pod, port)));
}

async function reachPod(release: string, part: string, port: number): Promise<string> {
  const [first = ''] = await reachPods(release, part, port);
  return first;
}

/** The decisions that all gateways have made without Redis. */
async function countWithoutRedis(): Promise<number> {
  const addresses = await reachPods('shelfwise', 'gateway', 9464);
  const texts = addresses.map(async (address) => (await fetch(`http://${address}/metrics`)).text());
  return sumLocalDecisions(await Promise.all(texts));
}

/** What an operator does in the pod for commands. */
async function runCommands(): Promise<void> {
  say('commands');
  const command = (line: string, ...words: string[]) =>
    tryKubectl(`exec deploy/shelfwise-commands -- npm run --silent ${line}`, ...words);
  const created = await command('account -- create --email operator@example.com --plan unlimited --json');
  expectThat(JSON.parse(created.stdout || '{}').key !== undefined, `an account ${created.stderr}`);
  const lag = await command('events -- lag');
  expectThat(lag.code === 0 && /scoring/.test(lag.stdout), `the events of each service ${lag.stderr}`);
  const explained = await command('scores -- explain --store ITUNES --country US --keyword', 'habit tracker');
  expectThat(explained.code === 0, `the scores of a keyword explained ${explained.stderr}`);
  const status = await command('migrate -- --status');
  expectThat(status.code === 0, `no pending migration ${status.stderr}`);
}

/** @param visitor the key of an account whose dashboard is open meanwhile */
async function upgradeUnderLoad(
  url: string,
  keys: readonly string[],
  { visitor, bareUrl }: { visitor: string; bareUrl: string },
): Promise<void> {
  say('a rolling upgrade of every part, and back, under load');
  const visiting = await startSteadyVisits(url, visitor);
  const load = await startSteadyCalls(url, keys, bareUrl);
  await sleep(5000);
  const warn = ['--set', 'settings.LOG_LEVEL=warn'];
  await timed('upgraded', () => helmRelease('upgrade shelfwise', ...warn));
  const level = await kubectl('exec deploy/shelfwise-scoring -- printenv LOG_LEVEL');
  expectThat(level.trim() === 'warn', 'the new settings are in use');
  // Without the migration, which would stay when a slow machine needs longer for it.
  const nonsense = '--set services.gateway.settings.TRUST_PROXY=nonsense --no-hooks --timeout 20s'.split(' ');
  const failed = await timed('a release whose gateway does not start', () =>
    cluster.attempt('helm', releaseWords('upgrade shelfwise', ...warn, ...nonsense)),
  );
  expectThat(failed.code !== 0, 'fails, and the copies before it go on');
  await timed('rolled back', () =>
    cluster.helm('rollback', 'shelfwise', '1', '-n', namespace, '--wait', '--timeout', '5m'),
  );
  await sleep(3000);
  const calls = await load.stop();
  report(calls);
  const { visits, files, failed: missed } = await visiting.stop();
  expectOnMachine(
    noFailedCall(missed, calls.bare),
    `a session of the dashboard outlives both: ${visits} pages and their ${files} files, ${missed.length} failed`,
  );
  for (const { text } of missed.slice(0, 6)) console.log(`       ${text}`);
}

function report({ calls, failed, p50, p99, bare }: SteadyResult): void {
  expectOnMachine(
    noFailedCall(failed, bare),
    `${calls} calls, ${failed.length} failed; p50 ${p50} ms, p99 ${p99} ms`,
  );
  const texts = failed.map(({ text }) => text);
  const shown = texts.length > 12 ? [...texts.slice(0, 6), '...', ...texts.slice(-6)] : texts;
  for (const text of shown) console.log(`       ${text}`);
}

/** New processes are slow while their code is compiled, and share the processors with those that they replace. */
async function untilCalm(url: string, key: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (let quick = 0; quick < 5 && performance.now() < deadline; await sleep(1150)) {
    const since = performance.now();
    const response = await fetch(`${url}/api/v1/applications`, { headers: { 'x-api-key': key } });
    await response.arrayBuffer();
    quick = response.ok && performance.now() - since < 200 ? quick + 1 : 0;
  }
}

async function killProcess(url: string, keys: readonly string[], bareUrl: string): Promise<void> {
  say('a process of scoring killed under load that reads');
  const load = await startSteadyCalls(url, keys, bareUrl);
  await sleep(3000);
  const [pod = ''] = await listPods('scoring');
  // The process with pid 1 of a container ignores SIGKILL from within it.
  await tryKubectl(`delete pod ${pod} --grace-period=0 --force`);
  await sleep(5000);
  await waitForRollout('shelfwise-scoring');
  report(await load.stop());
  await kubectl('exec deploy/shelfwise-chart -- node -e', 'process.kill(1, "SIGTERM")');
  const restarts = `${podsOf('shelfwise', 'chart')} -o jsonpath={.items[*].status.containerStatuses[0].restartCount}`;
  const restarted = await until(async () => (await kubectl(restarts)).includes('1'));
  expectThat(restarted !== null, `a process that ends is started again by the kubelet (${restarted} s)`);
  await waitForRollout('shelfwise-chart');
}

async function evict(): Promise<void> {
  say('evictions, as when a node is drained');
  // Copies of the releases before still take calls until all callers know.
  const hasTwo = await until(async () => (await listPods('niche')).length === 2);
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
  await waitForRollout('shelfwise-niche');
}

async function scaleOut(url: string, keys: readonly string[], bareUrl: string): Promise<void> {
  say('more copies of the gateway under load');
  const replicas = async () =>
    Number(await kubectl('get deploy shelfwise-gateway -o jsonpath={.status.readyReplicas}'));
  const before = await replicas();
  // One caller sends what it can, and most of it is refused, which costs CPU, too; the calls of the others are answered.
  const [key = '', ...others] = keys;
  const load = await startSteadyCalls(url, others, bareUrl);
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
  const grown = await until(async () => (await replicas()) > before);
  isOver = true;
  await burning;
  const found = `from ${before} to more ready copies after ${grown} s, with ${refused} refused calls`;
  expectThat(grown !== null, found);
  report(await load.stop());
}

/** A release of its own with nothing but scoring, which calls the store-fetch of the first one. */
async function runScoringAlone(): Promise<void> {
  say('scoring by itself');
  const firstRelease = () => kubectl('get deploy -l app.kubernetes.io/instance=shelfwise -o name');
  const before = await firstRelease();
  const more = ['-f', join(chart, 'examples/scoring-alone.yaml'), '--set', 'services.scoring.replicas=1'];
  await timed('installed', () => helmRelease('install alone', ...more));
  const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
  const question = JSON.stringify({ storefront: market, keyword: 'habit tracker' });
  const { stdout, stderr } = await grpcurl(
    'alone-shelfwise-scoring',
    await reachPod('alone', 'scoring', 50053),
    [...ownCertificate, '-d', question],
    'shelfwise.scoring.v1.ScoringService/ExplainScores',
  );
  const { traffic, difficulty } = JSON.parse(stdout || '{}').breakdown ?? {};
  const scores = `grpcurl gets scores: traffic ${traffic}, difficulty ${difficulty} ${stderr}`;
  expectThat(traffic !== undefined && difficulty !== undefined, scores);
  await kubectl('scale deploy/alone-shelfwise-scoring --replicas=3');
  await waitForRollout('alone-shelfwise-scoring');
  const copies = (await listPods('scoring', 'alone')).length;
  expectThat(copies === 3, 'it has three copies');
  expectThat((await firstRelease()) === before, 'the first release is as before');
  await cluster.helm('uninstall', 'alone', '-n', namespace, '--wait');
}

async function uninstall(): Promise<void> {
  say('helm uninstall');
  // The chart has not made it.
  await kubectl('delete service shelfwise-gateway-node --ignore-not-found');
  await timed('uninstalled', () => cluster.helm('uninstall', 'shelfwise', '-n', namespace, '--wait'));
  const resources = await kubectl('api-resources --namespaced --verbs=list,delete -o name');
  const ofCluster = /^(events|events\.events\.k8s\.io|endpoints|leases)/;
  const kinds = resources
    .trim()
    .split('\n')
    .filter((kind) => !ofCluster.test(kind));
  const gone = await until(async () => (await listLeft(kinds)).length === 0);
  expectThat(gone !== null, `nothing of it is left ${gone === null ? await listLeft(kinds) : ''}`);
  const kept = await kubectl(`get ${secretsKey} -o name`);
  expectThat(
    kept.trim() === secretsKey,
    'but the key of secrets, without which the secrets in the database cannot be read',
  );
}

/** What exists in the namespace and was not there before the installation. */
async function listLeft(kinds: readonly string[]): Promise<string[]> {
  const names = await kubectl(`get ${kinds.join(',')} -o name --ignore-not-found`);
  const own = new Set([...Object.keys(engines.secrets), 'shelfwise-tls'].map((name) => `secret/${name}`));
  const usual = ['configmap/kube-root-ca.crt', 'serviceaccount/default'];
  return names
    .split('\n')
    .filter((name) => name !== '' && !own.has(name) && !usual.includes(name) && name !== secretsKey);
}
