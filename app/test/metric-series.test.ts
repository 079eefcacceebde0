import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { feedKinds } from '@shelfwise/facts/alerts/alert-kinds';
import type { ConnectionEnd } from '@shelfwise/gateway/http/connection-guard';
import { routes } from '@shelfwise/gateway/routes/index';
import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { ChartServiceService } from '@shelfwise/proto/chart/v1/chart';
import { errorCodes } from '@shelfwise/proto/error-codes';
import { NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { NotifyServiceService } from '@shelfwise/proto/notify/v1/notify';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { topics } from '@shelfwise/proto/topics';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import type { Expiry } from '@shelfwise/runtime/grpc/tls/certificate-expiry';
import { proxyLabel } from '@shelfwise/store-fetch/budget/addresses';
import type { RefusalReason } from '@shelfwise/store-fetch/budget/call-with-budget';
import { urgencyLabel } from '@shelfwise/store-fetch/budget/urgency';
import type { CachedKind } from '@shelfwise/store-fetch/cache/answer-cache';
import type { CanaryResult } from '@shelfwise/store-fetch/empty-pages/canaries';
import type { EmptyPageOutcome } from '@shelfwise/store-fetch/empty-pages/verified-search';
import type { IconOutcome } from '@shelfwise/store-fetch/icons/read-icons';
import type { Listing } from '@shelfwise/store-fetch/source';
import { budgets, endpoints } from '@shelfwise/store-fetch/store-health/endpoints';
import { storeFailureKinds } from '@shelfwise/store-fetch/store-health/store-failure';
import type { DoubtSign } from '@shelfwise/store-fetch/stores/doubted-storefront-store';
import { readMetrics, withoutSuffix } from '../../testing/read-metrics.ts';
import { until } from '../../testing/until.ts';
import { live, storefront, useSystems } from './use-systems.ts';

const { start, account, startStore } = useSystems();

const services = ['gateway', 'tracking', 'scoring', 'store-fetch', 'niche', 'chart', 'notify'];
const rpcs = [
  AccountRowsServiceService,
  ChartServiceService,
  NicheServiceService,
  NotifyServiceService,
  StatusServiceService,
  ScoringServiceService,
  StoreFetchServiceService,
  TrackingServiceService,
].flatMap((service) => Object.keys(service));
const stores = ['ITUNES', 'GPLAY'];

/** All members of a type, so that a new one fails the type check until it is listed here. */
const all = <Name extends string>(names: Record<Name, true>) => Object.keys(names);

const refusalReasons = all<RefusalReason>({
  budget_exhausted: true,
  circuit_open: true,
  failed_before: true,
});
const connectionEnds = all<ConnectionEnd>({
  too_many_requests: true,
  too_many_waiting: true,
  unread_answers: true,
  held_memory: true,
  kept_open: true,
  made_room: true,
  max_connections: true,
});

/** Those of a listing that its own `unreadable` may name, among them all that a row of a search or chart has. */
const listingFields = [
  'bundle_id',
  'title',
  'description',
  'url',
  'icon',
  'screenshots',
  'developer_name',
  'genre',
  'genre_key',
  'languages',
  'version',
  'score',
  'ratings',
  'price',
  'currency',
  'released_at',
  'updated_at',
] satisfies (keyof Listing)[];

/** A proxy that does not answer, with a password. */
const proxy = 'http://someone:secret@127.0.0.1:9';

/** The values that each label may have, from the definitions in the code and the settings. Metrics of Node.js are not ours. */
const values: Record<string, readonly string[]> = {
  service: services,
  part: [
    ...services,
    'database',
    'events',
    'event bus',
    'rate windows',
    'disk space',
    'daily run',
    'scoring run',
    'analyses',
    'received events',
    'deliveries',
    'store source',
    'store budgets',
    'store sharing',
    'App Store',
    'Google Play',
  ],
  state: ['ok', 'degraded', 'down', 'running', 'waiting'],
  method: [...rpcs, 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'],
  route: [
    'unmatched',
    '/',
    '/healthz',
    '/readyz',
    '/docs',
    '/api/v1/openapi.json',
    ...routes.map(({ path }) => path),
  ],
  status: [
    '200',
    '202',
    '204',
    '301',
    '304',
    '499',
    ...Object.values(errorCodes).map(([status]) => String(status)),
  ],
  topic: Object.keys(topics),
  group: ['tracking', 'scoring', 'chart', 'notify'],
  jobs: ['App Store', 'Google Play']
    .flatMap((store) =>
      [
        'charts',
        'listings',
        'result pages',
        'keywords to score',
        'words of listings to score',
        'descriptions to look up',
      ].map((jobs) => `${store} ${jobs}`),
    )
    .concat(
      'audits',
      'alert channels',
      'alert digests',
      'jobs that track keywords',
      'jobs that inspect keywords',
    ),
  store: stores,
  endpoint: Object.keys(endpoints),
  address: ['direct', proxyLabel(new URL(proxy))],
  budget: budgets,
  urgency: [true, false].map(urgencyLabel),
  kind: [...all<CachedKind>({ search: true, listing: true, suggest: true, chart: true }), ...feedKinds],
  file: all<Expiry['file']>({ 'tls.crt': true, 'ca.crt': true }),
  version: ['0.1.0'],
  node: [process.versions.node],
};
/** The values of labels that differ from metric to metric. */
const ownValues: Record<string, Record<string, readonly string[]>> = {
  shelfwise_rpc_duration_seconds: { outcome: ['OK', ...Object.keys(errorCodes)] },
  shelfwise_rpc_client_duration_seconds: { outcome: ['OK', 'CANCELED', ...Object.keys(errorCodes)] },
  shelfwise_gateway_decisions_total: {
    outcome: ['admitted', 'rate-limited', 'quota-exceeded', 'key-replaced'],
  },
  shelfwise_gateway_shed_calls_total: { service: [...services, 'all'] },
  shelfwise_gateway_ended_connections_total: { reason: connectionEnds },
  shelfwise_daily_run_jobs_total: { outcome: ['done', 'failed', 'skipped', 'requeued'] },
  shelfwise_bulk_items_total: { outcome: ['done', 'failed'] },
  shelfwise_delivery_tries_total: { outcome: ['delivered', 'failed'] },
  shelfwise_store_calls_total: { outcome: ['ok', ...storeFailureKinds] },
  shelfwise_store_empty_pages_total: {
    outcome: ['believed', 'unproven', 'suspect'] satisfies EmptyPageOutcome[],
  },
  shelfwise_store_canaries_total: { result: ['answered', 'empty', 'unknown'] satisfies CanaryResult[] },
  shelfwise_store_doubt_signs_total: {
    sign: ['contradicted', 'empty-canary', 'shrunk'] satisfies DoubtSign[],
  },
  shelfwise_store_lost_fields_total: { field: listingFields },
  shelfwise_store_calls_refused_total: { reason: refusalReasons },
  shelfwise_store_cache_lookups_total: { outcome: ['hit', 'miss'] },
  shelfwise_store_icon_requests_total: {
    outcome: ['kept', 'read', 'unknown', 'failed'] satisfies IconOutcome[],
  },
  shelfwise_store_shared_cache_lookups_total: { outcome: ['hit', 'miss'] },
};
const valuesOf = (metric: string, label: string) => ownValues[metric]?.[label] ?? values[label];

/**
 * The most series of each metric in a process that has just started: two to four times what is measured, because on a busy
 * machine calls also fail. A histogram has about 20 series for each combination of its labels.
 */
const most: Record<string, number> = {
  shelfwise_gateway_request_duration_seconds: 500,
  shelfwise_rpc_duration_seconds: 480,
  shelfwise_rpc_client_duration_seconds: 480,
  shelfwise_store_call_duration_seconds: 120,
  shelfwise_store_queue_wait_seconds: 110,
  shelfwise_store_calls_total: 40,
  shelfwise_daily_run_jobs_total: 44,
  shelfwise_part_state: 110,
};
const mostOfOthers = 25;
/** Measured: 495 on sample data, 716 on live stores. */
const mostTogether = 1200;

type Series = { name: string; labels: Record<string, string> };

async function scrape(opsUrl: string): Promise<Series[]> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return [...text.matchAll(/^(shelfwise_\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name: withoutSuffix(name),
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value]),
    ),
  }));
}

/** Any method and path; the answer does not matter. */
function send(url: string, method: string, path: string, key: string, body?: string): Promise<void> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const call = request({ hostname, port, method, path, headers }, (answer) => {
      answer.resume().once('close', resolve);
    });
    call.once('error', () => resolve());
    call.end(body);
  });
}

/** Paths, methods, ids, texts and keys that no other round has sent. */
async function sendHostileCalls(url: string, keys: readonly string[]): Promise<void> {
  for (let call = 0; call < 60; call++) {
    const odd = `${randomUUID()}"}\n{é`;
    const path = encodeURIComponent(odd);
    const key = keys[call % keys.length] ?? '';
    const application = JSON.stringify({ app_id: odd, store: 'ITUNES', country: 'US', lang: 'en-US' });
    const keywords = JSON.stringify({
      keywords: [odd],
      app_id: call,
      store: 'GPLAY',
      country: odd,
      lang: odd,
    });
    await Promise.all([
      send(url, 'GET', `/${path}`, key),
      send(url, 'PROPFIND', `/api/v1/${path}?${path}=1`, key),
      send(url, 'PURGE', '/api/v1/keywords', key),
      send(url, 'GET', `/api/v1/applications/${call}/movers?window=${path}`, key),
      send(url, 'GET', `/api/v1/keywords/${path}/ranks/history`, key),
      send(url, 'POST', '/api/v1/applications', key, application),
      send(url, 'POST', '/api/v1/keywords', key, keywords),
      send(url, 'GET', '/api/v1/keywords', `sw_live_${odd.slice(0, 20)}`),
    ]);
  }
}

/** Values of labels that are not in the lists above. */
function unexpectedValues(series: readonly Series[]): string[] {
  const unexpected = series.flatMap(({ name, labels }) =>
    Object.entries(labels)
      .filter(([label, value]) => label !== 'le' && !valuesOf(name, label)?.includes(value))
      .map(([label, value]) => `${name} ${label}=${value}`),
  );
  return [...new Set(unexpected)];
}

/** Metrics with more series than the limits above. */
function tooMany(series: readonly Series[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of series) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([name, count]) => count > (most[name] ?? mostOfOthers))
    .map(([name, count]) => `${name}: ${count}`);
}

test('the values of every label are listed here', () => {
  const missing = [...readMetrics()].flatMap(([series, labels]) =>
    labels
      .filter((label) => label !== 'le' && !valuesOf(withoutSuffix(series), label))
      .map((label) => `${withoutSuffix(series)} ${label}`),
  );
  expect([...new Set(missing)]).toEqual([]);
});

test('whatever callers send, labels have values from the code only, and the number of series is bounded', async () => {
  const system = await start({ METRICS_PORT: '0', LOG_LEVEL: 'fatal' });
  const opsUrl = system.opsUrl ?? '';
  const keys = [system.key ?? ''];
  for (const name of ['a', 'b', 'c']) {
    const email = `${name}@example.com`;
    const { stdout } = await account(['create', '--email', email, '--plan', 'unlimited', '--json']);
    keys.push(JSON.parse(stdout).key);
  }
  await sendHostileCalls(system.url, keys);
  await sendHostileCalls(system.url, keys);
  const series = await scrape(opsUrl);

  expect(unexpectedValues(series)).toEqual([]);
  expect(tooMany(series)).toEqual([]);
  expect(series.length).toBeLessThanOrEqual(mostTogether);
  const ofRequests = series.filter(({ name }) => name === 'shelfwise_gateway_request_duration_seconds');
  const statuses = new Set(ofRequests.map(({ labels }) => labels.status));
  expect([...statuses]).toEqual(expect.arrayContaining(['400', '401', '404', '405', '429']));
});

test('the same holds with live stores, a proxy, Redis and Kafka, of which only the stores answer', async () => {
  const store = await startStore();
  const system = await start({
    ...live(store.url),
    STORE_PROXIES: proxy,
    REDIS_URL: 'redis://127.0.0.1:9',
    KAFKA_BROKERS: '127.0.0.1:9',
    METRICS_PORT: '0',
    LOG_LEVEL: 'fatal',
  });
  const key = system.key ?? '';
  const post = (path: string, body: object) =>
    send(system.url, 'POST', `/api/v1/${path}`, key, JSON.stringify({ ...storefront, ...body }));
  await post('applications', { app_id: '700000001' });
  await post('keywords', { app_id: 1, keywords: ['habit tracker', 'notes', randomUUID()] });
  await send(
    system.url,
    'GET',
    `/api/v1/autocomplete?prefix=${randomUUID()}&store=ITUNES&country=US&lang=en-US`,
    key,
  );
  await sendHostileCalls(system.url, [key]);
  let series: Series[] = [];
  // Labels and parts that a start on sample data does not have.
  const expected = ['endpoint', 'address', 'budget', 'urgency', 'kind', 'event bus', 'store sharing'];
  await until(async () => {
    series = await scrape(system.opsUrl ?? '');
    const shown = new Set(series.flatMap(({ labels }) => [...Object.keys(labels), labels.part]));
    return expected.every((name) => shown.has(name));
  });
  expect(unexpectedValues(series)).toEqual([]);
  expect(tooMany(series)).toEqual([]);
  expect(series.length).toBeLessThanOrEqual(mostTogether);
});

test('every service shows its parts, queues, outboxes and groups, and callers show their calls', async () => {
  const system = await start({ METRICS_PORT: '0', LOG_LEVEL: 'fatal' });
  await send(system.url, 'GET', '/api/v1/applications', system.key ?? '');
  let series: Series[] = [];
  const shown = (name: string, ...labels: string[]) =>
    [
      ...new Set(
        series
          .filter((one) => one.name === name)
          .map((one) => labels.map((label) => one.labels[label]).join(' ')),
      ),
    ].sort();
  // On a busy machine a slow reading is shown by the next scrape.
  await until(async () => {
    series = await scrape(system.opsUrl ?? '');
    return (
      shown('shelfwise_part_state', 'service').length === services.length &&
      shown('shelfwise_jobs_oldest_due_age_seconds', 'jobs').length === values.jobs?.length &&
      shown('shelfwise_outbox_oldest_event_age_seconds', 'service').length === 3 &&
      shown('shelfwise_dead_letters_waiting', 'group').length === 4
    );
  });
  expect(shown('shelfwise_part_state', 'service', 'part')).toEqual(
    [
      ...['database', 'disk space', 'rate windows', ...services.slice(1)].map((part) => `gateway ${part}`),
      ...services.slice(1).map((service) => `${service} database`),
      'chart daily run',
      'chart events',
      'niche analyses',
      'notify deliveries',
      'notify received events',
      'scoring events',
      'scoring scoring run',
      'store-fetch store source',
      'tracking daily run',
      'tracking events',
    ].sort(),
  );
  expect(shown('shelfwise_jobs_due', 'jobs')).toEqual([...(values.jobs ?? [])].sort());
  expect(shown('shelfwise_jobs_oldest_due_age_seconds', 'jobs')).toEqual([...(values.jobs ?? [])].sort());
  expect(shown('shelfwise_outbox_oldest_event_age_seconds', 'service')).toEqual([
    'chart',
    'scoring',
    'tracking',
  ]);
  expect(shown('shelfwise_event_consumer_lag_events', 'topic')).toEqual([...(values.topic ?? [])].sort());
  expect(shown('shelfwise_dead_letters_waiting', 'group')).toEqual([
    'chart',
    'notify',
    'scoring',
    'tracking',
  ]);
  expect(shown('shelfwise_niche_analyses', 'store', 'state')).toHaveLength(4);
  expect(shown('shelfwise_disk_free_bytes')).toHaveLength(1);
  expect(shown('shelfwise_rpc_client_duration_seconds', 'service', 'method')).toContain(
    'tracking listApplications',
  );
});
