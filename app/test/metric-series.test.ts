import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { routes } from '@shelfwise/gateway/routes/index';
import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { ChartServiceService } from '@shelfwise/proto/chart/v1/chart';
import { errorCodes } from '@shelfwise/proto/error-codes';
import { NicheServiceService } from '@shelfwise/proto/niche/v1/niche';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { topics } from '@shelfwise/proto/topics';
import { TrackingServiceService } from '@shelfwise/proto/tracking/v1/tracking';
import { until } from '../../testing/manual-clock.ts';
import { useSystems } from './use-systems.ts';

jest.setTimeout(120_000);

const { start, account } = useSystems();

const services = ['gateway', 'tracking', 'scoring', 'store-fetch', 'niche', 'chart'];
const rpcs = [
  AccountRowsServiceService,
  ChartServiceService,
  NicheServiceService,
  StatusServiceService,
  ScoringServiceService,
  StoreFetchServiceService,
  TrackingServiceService,
].flatMap((service) => Object.keys(service));
const stores = ['ITUNES', 'GPLAY'];

/** The values that each label may have, from the definitions in the code. Metrics of Node.js are not ours. */
const values: Record<string, readonly string[]> = {
  service: services,
  part: [
    ...services,
    'database',
    'events',
    'rate windows',
    'disk space',
    'daily run',
    'scoring run',
    'analyses',
    'store source',
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
  status: ['200', '301', '304', '499', ...Object.values(errorCodes).map(([status]) => String(status))],
  topic: Object.keys(topics),
  group: ['tracking', 'scoring'],
  jobs: ['App Store', 'Google Play']
    .flatMap((store) =>
      ['charts', 'listings', 'result pages', 'keywords to score', 'words of listings to score'].map(
        (jobs) => `${store} ${jobs}`,
      ),
    )
    .concat('audits'),
  store: stores,
  version: ['0.1.0'],
  node: [process.versions.node],
};
/** Outcomes differ from metric to metric. */
const outcomes: Record<string, readonly string[]> = {
  shelfwise_rpc_duration_seconds: ['OK', ...Object.keys(errorCodes)],
  shelfwise_rpc_client_duration_seconds: ['OK', 'CANCELED', ...Object.keys(errorCodes)],
  shelfwise_gateway_decisions_total: ['admitted', 'rate-limited', 'quota-exceeded', 'key-replaced'],
  shelfwise_daily_run_jobs_total: ['done', 'failed', 'skipped', 'requeued'],
};

type Series = { name: string; labels: Record<string, string> };

async function scrape(opsUrl: string): Promise<Series[]> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return [...text.matchAll(/^(shelfwise_\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name: name.replace(/_(bucket|sum|count)$/, ''),
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

/** The most series that these metrics can have: all values of each label, and of a histogram at most 20 buckets. */
function bound(series: readonly Series[]): number {
  const labelsOf = new Map<string, Set<string>>();
  for (const { name, labels } of series)
    for (const label of ['', ...Object.keys(labels)])
      labelsOf.set(name, (labelsOf.get(name) ?? new Set()).add(label));
  const valuesOf = (name: string, label: string) =>
    label === 'outcome' ? outcomes[name]?.length : values[label]?.length;
  const sizeOf = (name: string, label: string) => valuesOf(name, label) ?? (label === 'le' ? 22 : 1);
  return [...labelsOf]
    .map(([name, labels]) => [...labels].reduce((product, label) => product * sizeOf(name, label), 1))
    .reduce((sum, product) => sum + product, 0);
}

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

  const unexpected = series.flatMap(({ name, labels }) =>
    Object.entries(labels)
      .filter(([label]) => label !== 'le' && label !== 'reason')
      .filter(([label, value]) => !(label === 'outcome' ? outcomes[name] : values[label])?.includes(value))
      .map(([label, value]) => `${name} ${label}=${value}`),
  );
  expect([...new Set(unexpected)]).toEqual([]);
  expect(series.length).toBeLessThanOrEqual(bound(series));
  // Eight kinds of calls, each with its few statuses, however many of them there were.
  const ofRequests = series.filter(
    ({ name, labels }) => name === 'shelfwise_gateway_request_duration_seconds' && !('le' in labels),
  );
  const kinds = new Set(ofRequests.map(({ labels }) => `${labels.method} ${labels.route} ${labels.status}`));
  expect(kinds.size).toBeLessThanOrEqual(8 * 4 + 4);
  const statuses = new Set(ofRequests.map(({ labels }) => labels.status));
  expect([...statuses]).toEqual(expect.arrayContaining(['400', '401', '404', '405', '429']));
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
      shown('shelfwise_outbox_oldest_event_age_seconds', 'service').length === 2 &&
      shown('shelfwise_dead_letters_waiting', 'group').length === 2
    );
  });
  expect(shown('shelfwise_part_state', 'service', 'part')).toEqual(
    [
      ...['database', 'disk space', 'rate windows', ...services.slice(1)].map((part) => `gateway ${part}`),
      ...services.slice(1).map((service) => `${service} database`),
      'chart daily run',
      'niche analyses',
      'scoring events',
      'scoring scoring run',
      'store-fetch store source',
      'tracking daily run',
      'tracking events',
    ].sort(),
  );
  expect(shown('shelfwise_jobs_due', 'jobs')).toEqual([...(values.jobs ?? [])].sort());
  expect(shown('shelfwise_jobs_oldest_due_age_seconds', 'jobs')).toEqual([...(values.jobs ?? [])].sort());
  expect(shown('shelfwise_outbox_oldest_event_age_seconds', 'service')).toEqual(['scoring', 'tracking']);
  expect(shown('shelfwise_event_consumer_lag_events', 'topic')).toEqual([...(values.topic ?? [])].sort());
  expect(shown('shelfwise_dead_letters_waiting', 'group')).toEqual(['scoring', 'tracking']);
  expect(shown('shelfwise_niche_analyses', 'store', 'state')).toHaveLength(4);
  expect(shown('shelfwise_disk_free_bytes')).toHaveLength(1);
  expect(shown('shelfwise_rpc_client_duration_seconds', 'service', 'method')).toContain(
    'tracking listApplications',
  );
});
