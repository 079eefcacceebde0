import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAlone as runChart } from '@shelfwise/chart/run-alone';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { runAlone as runGateway } from '@shelfwise/gateway/run-alone';
import { runAlone as runNiche } from '@shelfwise/niche/run-alone';
import { runAlone as runNotify } from '@shelfwise/notify/run-alone';
import type { ServiceHost } from '@shelfwise/runtime/service/run-service';
import { runAlone as runScoring } from '@shelfwise/scoring/run-alone';
import { runAlone as runStoreFetch } from '@shelfwise/store-fetch/run-alone';
import { runAlone as runTracking } from '@shelfwise/tracking/run-alone';
import { shareSampleCatalog } from '../../services/store-fetch/test/share-sample-catalog.ts';
import { createApi } from '../../testing/system/api.ts';
import { runCommandHere } from '../../testing/system/run-command-here.ts';
import { type ServiceProcess, startServiceProcess } from '../../testing/system/service-process.ts';
import { startServiceHere } from '../../testing/system/start-service-here.ts';
import { daysAgo } from '../../testing/system-clock.ts';
import { until } from '../../testing/until.ts';
import { account } from '../src/commands/account.ts';
import { migrate } from '../src/commands/migrate.ts';
import { scores } from '../src/commands/scores.ts';
import { snapshot } from '../src/commands/snapshot.ts';

const programs = {
  'services/store-fetch': (host: ServiceHost) => runStoreFetch(host, { createCatalog: shareSampleCatalog }),
  'services/tracking': runTracking,
  'services/scoring': runScoring,
  'services/niche': runNiche,
  'services/chart': runChart,
  'services/notify': runNotify,
  gateway: runGateway,
};
type Folder = keyof typeof programs;

const started: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.end('SIGKILL')));
});

async function startAlone(folder: Folder, settings: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess(`${folder}/src/main.ts`, settings);
  started.push(service);
  return service;
}

async function startHere(folder: Folder, settings: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceHere(programs[folder], settings);
  started.push(service);
  return service;
}

/** A certificate for this machine, made by the script for operators. */
function createCertificate(folder: string): string {
  execFileSync('bash', ['deploy/tls/create-certificates.sh', folder, 'all=127.0.0.1']);
  return join(folder, 'all');
}

test.each(['plain connections', 'plain connections with a secret', 'mutual TLS'])(
  'the services, each started alone with its settings, form one system over %s',
  formOneSystem,
);

/** Without certificates, connections stay on this machine. */
async function refuseOtherMachines(settings: Record<string, string>): Promise<void> {
  const scoring = 'services/scoring';
  const open = await startHere(scoring, { ...settings, GRPC_ADDRESS: '0.0.0.0:0' });
  expect(await open.end()).toBe(1);
  expect(open.output()).toContain(
    'GRPC_ADDRESS 0.0.0.0:0 accepts calls of other machines, without encryption.',
  );
  const plain = await startHere(scoring, { ...settings, GRPC_ADDRESS: '0.0.0.0:0', GRPC_INSECURE: 'true' });
  expect(await plain.end()).toBe(1);
  expect(plain.output()).toContain('without certificates and without a secret. Set GRPC_SECRET');
  const elsewhere = { STORE_FETCH_ADDRESS: 'store-fetch:50052', GRPC_ADDRESS: '127.0.0.1:0' };
  const calling = await startHere(scoring, { ...settings, ...elsewhere });
  expect(await calling.end()).toBe(1);
  expect(calling.output()).toContain('would be called without encryption. Set GRPC_TLS_DIR');
}

/** A command without the secret of the services, or with another one, says what to set. */
async function refuseOtherSecrets(args: string[], settings: Record<string, string>): Promise<void> {
  for (const other of [{}, { GRPC_SECRET: 'another-secret-of-the-services-for-it' }]) {
    const refused = await runCommandHere(scores, args, { ...settings, ...other });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Set GRPC_SECRET to the same value for every process and command.');
    expect(refused.stderr).not.toContain('another-secret');
  }
  const short = await runCommandHere(scores, args, { ...settings, GRPC_SECRET: 'short' });
  expect(short).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('GRPC_SECRET: must have 32 bytes'),
  });
}

async function formOneSystem(connections: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sw-alone-'));
  const hasTls = connections === 'mutual TLS';
  const hasSecret = connections === 'plain connections with a secret';
  const security: Record<string, string> = hasTls
    ? { GRPC_TLS_DIR: createCertificate(join(folder, 'tls')) }
    : hasSecret
      ? { GRPC_SECRET: 'a-secret-of-the-services-for-this-test' }
      : {};
  // Processes cost seconds each: here those that `start-traced-services` does not start.
  const apart: readonly Folder[] = hasTls ? ['services/niche', 'services/chart', 'services/notify'] : [];
  const engine = await startEngine({ dataDir: folder });
  const MONGODB_URI = engine.mongodbUri;
  const GRPC_ADDRESS = '127.0.0.1:0';
  try {
    expect(await runCommandHere(migrate, [], { MONGODB_URI })).toMatchObject({ code: 0 });
    const startPart = (part: Folder, settings: Record<string, string>) =>
      (apart.includes(part) ? startAlone : startHere)(part, {
        MONGODB_URI,
        GRPC_ADDRESS,
        ...security,
        ...settings,
      });
    const storeFetch = await startPart('services/store-fetch', { STORE_SOURCE: 'sample' });
    expect(storeFetch.line).toContain('fictional');
    const STORE_FETCH_ADDRESS = storeFetch.address;
    const tracking = await startPart('services/tracking', { STORE_FETCH_ADDRESS });
    expect(tracking.line).toContain('the outbox keeps its events');
    const TRACKING_ADDRESS = tracking.address;
    const scoring = await startPart('services/scoring', { STORE_FETCH_ADDRESS });
    expect(scoring.line).toContain('it receives none');
    const SCORING_ADDRESS = scoring.address;
    const niche = await startPart('services/niche', { SCORING_ADDRESS, STORE_FETCH_ADDRESS });
    const chart = await startPart('services/chart', { STORE_FETCH_ADDRESS });
    const notify = await startPart('services/notify', {});
    expect(notify.line).toContain('it receives no events and publishes no alerts');
    const services = { STORE_FETCH_ADDRESS, TRACKING_ADDRESS, SCORING_ADDRESS };
    const others = {
      NICHE_ADDRESS: niche.address,
      CHART_ADDRESS: chart.address,
      NOTIFY_ADDRESS: notify.address,
    };
    // As operators have it, once: until load balancers know.
    const stopDelay: Record<string, string> = hasTls ? {} : { STOP_DELAY_SECONDS: '0' };
    const ports = { PORT: '0', METRICS_PORT: '0', ...stopDelay };
    const gateway = await startPart('gateway', { ...ports, ...services, ...others });
    const url = `http://127.0.0.1:${gateway.line.match(/port (\d+)/)?.[1]}`;

    const elsewhere = { SHELFWISE_DATA_DIR: join(folder, 'none') };
    const create = ['create', '--email', 'a@b.c', '--plan', 'unlimited', '--json'];
    const created = await runCommandHere(account, create, { MONGODB_URI, ...elsewhere });
    const api = createApi(url, JSON.parse(created.stdout).key);
    const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
    const tracked = await api('POST', '/applications', { app_id: '9005997251', ...storefront });
    expect(tracked.body.data.id).toBe(1);
    const added = await api('POST', '/keywords', { keywords: ['habit tracker'], app_id: 1, ...storefront });
    expect(added.body.data.success_count).toBe(1);
    const opsUrl = gateway.line.match(/metrics on (\S+)\/metrics/)?.[1];
    let ready = '';
    // The first view does not wait for a slow service.
    await until(async () => {
      ready = await (await fetch(`${opsUrl}/readyz`)).text();
      return ready.includes('"scoring run"');
    });
    expect(ready).toMatch(/KAFKA_BROKERS/);
    expect(await (await fetch(`${url}/readyz`)).text()).not.toMatch(/KAFKA_BROKERS/);
    expect(ready).toMatch(/"daily run"/);
    // Its words are measured in the background.
    const { body: health } = await api('GET', '/applications/1/aso-health');
    const isPending = JSON.stringify(health.meta ?? {}).includes('audit_pending');
    expect(health.data.report === null).toBe(isPending);
    const inStorefront = new URLSearchParams(storefront);
    const { body: charted } = await api('GET', '/top-charts?store=ITUNES&country=US&limit=5');
    expect(charted.data.rows).toHaveLength(5);
    const { body: completed } = await api('GET', `/autocomplete?prefix=habit&${inStorefront}`);
    // Their order follows the days of the sample.
    expect(completed.data.suggestions).toContain('habit tracker');
    const { body: analyzed } = await api('GET', `/niches?topic=streak%20tracker&${inStorefront}`);
    expect(analyzed.data.totalKeywords).toBeGreaterThan(0);

    const settings = { TRACKING_ADDRESS, ...security, ...elsewhere };
    const day = daysAgo(200).toISOString().slice(0, 10);
    const read = await runCommandHere(snapshot, ['--day', day, '--json'], settings);
    expect(read.stderr).toContain(`using the tracking service on ${TRACKING_ADDRESS}`);
    expect(JSON.parse(read.stdout)).toMatchObject({ is_complete: true, done: 1, left: 0 });
    const history = await api('GET', `/keywords/1/ranks/history?from=${day}&to=${day}`);
    expect(history.body.data.apps[0].history).toHaveLength(1);

    const args = ['explain', '--store', 'ITUNES', '--country', 'US', '--keyword', 'Habit  Tracker', '--json'];
    const plain = { SCORING_ADDRESS, ...elsewhere };
    const explained = await runCommandHere(scores, args, { ...security, ...plain });
    expect(explained.stderr).toContain(`using the scoring service on ${SCORING_ADDRESS}`);
    expect(JSON.parse(explained.stdout)).toMatchObject({
      keyword: 'habit tracker',
      search_status: 'searched',
    });
    if (hasSecret) {
      await refuseOtherSecrets(args, plain);
      await refuseOtherMachines({ MONGODB_URI, STORE_FETCH_ADDRESS });
    }
    if (hasTls)
      expect(await runCommandHere(scores, args, plain)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('cannot be reached'),
      });
    for (const service of [gateway, chart, niche, tracking, scoring, storeFetch])
      expect(await service.end()).toBe(0);
    for (const service of [chart, niche, tracking, scoring, storeFetch]) {
      const isOpen = service.output().includes('Every user of this machine can call the');
      expect(isOpen).toBe(!hasTls && !hasSecret);
      if (security.GRPC_SECRET) expect(service.output()).not.toContain(security.GRPC_SECRET);
    }
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each([
  ['services/store-fetch', ['STORE_SOURCE', 'MONGODB_URI']],
  ['services/tracking', ['MONGODB_URI', 'STORE_FETCH_ADDRESS']],
  ['services/scoring', ['MONGODB_URI', 'STORE_FETCH_ADDRESS']],
  ['services/niche', ['MONGODB_URI', 'SCORING_ADDRESS', 'STORE_FETCH_ADDRESS']],
  ['services/chart', ['MONGODB_URI', 'STORE_FETCH_ADDRESS']],
  ['services/notify', ['MONGODB_URI']],
  [
    'gateway',
    [
      ...['MONGODB_URI', 'TRACKING_ADDRESS', 'SCORING_ADDRESS', 'STORE_FETCH_ADDRESS'],
      ...['NICHE_ADDRESS', 'CHART_ADDRESS', 'NOTIFY_ADDRESS'],
    ],
  ],
] as const)('%s started without settings names all missing settings', async (folder, missing) => {
  const service = await startHere(folder, {});
  expect(await service.end()).toBe(1);
  const { line } = service;
  for (const setting of missing) expect(line).toContain(`${setting}: is missing`);
});
