import { startFakeStore } from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
import { createApi } from '../../testing/system/api.ts';
import { type ReceivedSpan, startTraceCollector } from '../../testing/trace-collector.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { eventPath, expectPath, isWhole, storePath, traceOfTracking, writePath } from './tracking-trace.ts';
import { live, storefront, useSystems } from './use-systems.ts';

const systems = useSystems();
const closing = useClosing();

/** Live stores that are invented, and a collector for the spans of what starts on these settings. */
async function startReceivers() {
  const store = await startFakeStore();
  closing.push(store.stop);
  const collector = await startTraceCollector();
  closing.push(collector.stop);
  const settings = { ...live(store.url), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'info' };
  return { collector, settings };
}

/** In this process, whose environment OpenTelemetry reads itself. */
async function startTraced() {
  const { collector, settings } = await startReceivers();
  const ofExporter = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
  Object.assign(process.env, ofExporter);
  closing.push(() => {
    for (const name of Object.keys(ofExporter)) delete process.env[name];
  });
  const system = await systems.start(settings);
  return { system, collector, api: system.api };
}

test('npm start: a request is one trace through tracking, its event and scoring, with the database and the store', async () => {
  const { collector, api, system } = await startTraced();
  await api('POST', '/applications', { app_id: '700000001', ...storefront });
  const paths = [writePath, storePath, eventPath];
  const trace = traceOfTracking(await collector.until((all) => isWhole(all, paths)));
  for (const path of paths) expectPath(trace, path);
  expect(new Set(trace.map(({ resource }) => resource['service.name']))).toEqual(new Set(['shelfwise']));

  // The lines of the request, of the services that it went through, and of no other work.
  const logged = linesOf(system.output()).filter(({ trace_id }) => trace_id === trace[0]?.traceId);
  expect(logged.filter(({ msg }) => msg === 'request')).toMatchObject([
    { route: '/api/v1/applications', status: 200, request_id: trace[0]?.attributes['shelfwise.request_id'] },
  ]);
  const calls = logged.filter(({ msg }) => msg === 'call').map(({ method }) => method);
  expect(calls.sort()).toEqual(['getListing', 'trackApplication']);
});

const linesOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('an audit of today with a kept keywords field is two calls between services, and the listing is read once at most', async () => {
  const { collector, api, system } = await startTraced();
  const tracked = await api('POST', '/applications', { app_id: '700000001', ...storefront });
  const path = `/applications/${tracked.body.data.id}`;
  await api('PUT', `${path}/keywords-field`, { kw_field: 'goals,mood' });
  // Audits the listing, unless the event of the application has come before.
  await api('GET', `${path}/aso-health`);
  const last = 'the-last-request';
  await fetch(`${system.url}/api/v1${path}/aso-health`, {
    headers: { 'X-API-Key': system.key ?? '', 'X-Request-Id': last },
  });
  const isLast = ({ attributes, parentId }: ReceivedSpan) =>
    parentId === '' && attributes['shelfwise.request_id'] === last;
  const spans = await collector.until((all) => all.some(isLast));
  const trace = spans.filter(({ traceId }) => traceId === spans.find(isLast)?.traceId);
  const calls = trace.filter(({ kind, name }) => kind === 'client' && name.startsWith('shelfwise.'));
  expect(calls.map(({ name }) => name.split('/')[1])).toEqual(['GetTrackedListing', 'GetAsoHealth']);
  const reads = trace.filter(({ attributes }) => attributes['db.collection.name'] === 'listings');
  // Not at all, unless the audit has come since the call before.
  const databases = reads.map(({ attributes }) => attributes['db.namespace']);
  expect([[], ['shelfwise_tracking']]).toContainEqual(databases);
});

test('no span has a key, a query, an email, a keyword, or a text of a listing', async () => {
  const { collector, api, system } = await startTraced();
  const key = system.key ?? '';
  const tracked = await api('POST', '/applications', { app_id: '700000001', ...storefront });
  const keywords = ['zebra planner', 'habit tracker'];
  await api('POST', '/keywords', { keywords, app_id: tracked.body.data.id, ...storefront });
  await api('GET', `/keywords?app_id=${tracked.body.data.id}&search=zebra`);
  await api('GET', `/autocomplete?prefix=zebra+pl&${new URLSearchParams(storefront)}`);
  await api('POST', '/applications', { app_id: '799999999', ...storefront });
  await api('GET', '/applications/zebra-path?zebra=1');
  // Keys where they belong, and where they do not.
  await fetch(`${system.url}/api/v1/account/usage?api_key=${key}&email=zebra@example.com`);
  await fetch(`${system.url}/api/v1/${key}`, {
    headers: { Authorization: `Bearer ${key}`, traceparent: key },
  });
  await fetch(`${system.url}/docs?api_key=${key}`);
  const last = 'the-last-request';
  await fetch(`${system.url}/api/v1/account/usage`, { headers: { 'X-API-Key': key, 'X-Request-Id': last } });
  const isLast = ({ attributes, parentId }: ReceivedSpan) =>
    parentId === '' && attributes['shelfwise.request_id'] === last;
  const isOfJob = ({ name }: ReceivedSpan) => name.startsWith('job ');
  const spans = await collector.until(
    (all) => all.some(isLast) && all.some(isOfJob) && isWhole(all, [eventPath]),
  );
  // What must not be found was there to be found.
  expect(spans.some(({ name }) => name === 'call itunes-search')).toBe(true);
  for (const text of [key, key.slice(8), 'demo@example.com', '@example.com', 'zebra', 'habit', 'Quillmoor'])
    expect([text, collector.hasReceived(text)]).toEqual([text, false]);
  expect(JSON.stringify(spans)).not.toMatch(/[?=&]/);
});

test('a stop sends the last spans', async () => {
  const { collector, settings } = await startReceivers();
  const system = await systems.startProcess({ ...settings, OTEL_BSP_SCHEDULE_DELAY: '600000' });
  await createApi(system.url, system.key ?? '')('GET', '/account/usage');
  expect(collector.requests()).toBe(0);
  expect(await system.end('SIGTERM')).toBe(0);
  expect(collector.spans().map(({ name }) => name)).toContain('GET /api/v1/account/usage');
});

test('without a collector the log has no trace ids, and a mistake in a setting is refused', async () => {
  const system = await systems.start({ ...live('http://127.0.0.1:1'), LOG_LEVEL: 'info' });
  await system.api('GET', '/account/usage');
  await system.end();
  expect(system.output()).toContain('"msg":"request"');
  expect(system.output()).not.toContain('trace_id');
  const refused = systems.start({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  });
  await expect(refused).rejects.toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT: .*\n.*OTEL_EXPORTER_OTLP_PROTOCOL: must be/,
  );
});
