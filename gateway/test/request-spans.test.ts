import { useTracing } from '../../testing/use-tracing.ts';
import { useGateway } from './harness/use-gateway.ts';

const gateway = useGateway({ isRemote: true });
const traces = useTracing();

beforeEach(() => gateway.tracking.answer({ listApplications: async () => ({ applications: [], total: 0 }) }));

const strangersTrace = 'a'.repeat(32);
const strangersSpan = 'b'.repeat(16);

/** Without waiting: what was sent before a request that has arrived has arrived, too. */
const requestSpans = async () => (await traces.until(isFinished)).filter(({ parentId }) => parentId === '');
const isFinished = () => traces.spans().some(({ parentId }) => parentId === '');

const lastLine = () =>
  gateway.lines.map((line) => JSON.parse(String(line))).findLast(({ msg }) => msg === 'request');

test('a request and the calls that it makes are one trace, which the log line names', async () => {
  const answer = await gateway.call('GET', '/api/v1/applications', { headers: { 'X-Request-Id': 'r-9' } });
  expect(answer.status).toBe(200);
  const [span] = await requestSpans();
  expect(span).toMatchObject({
    name: 'GET /api/v1/applications',
    kind: 'server',
    links: [],
    isFailed: false,
  });
  expect(span?.attributes).toEqual({
    'http.request.method': 'GET',
    'http.route': '/api/v1/applications',
    'http.response.status_code': 200,
    'shelfwise.request_id': 'r-9',
    'shelfwise.account_id': gateway.accountId,
  });
  const called = traces.spans().filter(({ name }) => name.startsWith('shelfwise.tracking.v1.'));
  expect(called.map(({ kind }) => kind).sort()).toEqual(['client', 'server']);
  for (const { traceId } of called) expect(traceId).toBe(span?.traceId);
  expect(called.find(({ kind }) => kind === 'client')?.parentId).toBe(span?.spanId);
  const { trace_id, request_id, account_id, route, status, ms } = lastLine();
  expect({ trace_id, request_id, account_id, route, status }).toEqual({
    trace_id: span?.traceId,
    request_id: 'r-9',
    account_id: gateway.accountId,
    route: '/api/v1/applications',
    status: 200,
  });
  expect(typeof ms).toBe('number');
});

test('the body of a request may arrive later: its calls are still in the trace', async () => {
  const body = { keywords: ['a keyword'], app_id: 1, store: 'ITUNES', country: 'US', lang: 'en-US' };
  await gateway.call('POST', '/api/v1/keywords', { body });
  const [span] = await requestSpans();
  const called = traces.spans().filter(({ kind }) => kind === 'client');
  expect(called.length).toBeGreaterThan(0);
  for (const { traceId } of called) expect(traceId).toBe(span?.traceId);
  expect(traces.hasReceived('a keyword')).toBe(false);
});

test('the trace of a caller is linked, and not joined', async () => {
  const traceparent = `00-${strangersTrace}-${strangersSpan}-01`;
  await gateway.call('GET', '/api/v1/applications', { headers: { traceparent, tracestate: 'a=secret' } });
  const [span] = await requestSpans();
  expect(span?.traceId).not.toBe(strangersTrace);
  expect(span?.links).toEqual([{ traceId: strangersTrace, spanId: strangersSpan }]);
  expect(traces.hasReceived('secret')).toBe(false);
});

test('a caller cannot switch the recording off, and a broken traceparent is ignored', async () => {
  const traceparent = `00-${strangersTrace}-${strangersSpan}-00`;
  await gateway.call('GET', '/api/v1/applications', { headers: { traceparent } });
  expect(await requestSpans()).toHaveLength(1);
  await gateway.call('GET', '/api/v1/applications', { headers: { traceparent: 'sw_live_secret' } });
  await traces.until((spans) => spans.filter(({ parentId }) => parentId === '').length === 2);
  expect(traces.spans().flatMap(({ links }) => links)).toHaveLength(1);
  expect(traces.hasReceived('secret')).toBe(false);
});

test('a refused request has a span with its code; the path and the query of an unknown one are in none', async () => {
  await gateway.call('GET', '/api/v1/not-there-3141?api_key=sw_live_secret', { key: null });
  const [span] = await requestSpans();
  expect(span).toMatchObject({ name: 'GET', isFailed: false });
  expect(span?.attributes).toMatchObject({
    'error.type': 'INVALID_API_KEY',
    'http.response.status_code': 401,
  });
  for (const text of ['3141', 'secret']) expect(traces.hasReceived(text)).toBe(false);
});

test('health pages have no span', async () => {
  await gateway.call('GET', '/healthz');
  await gateway.call('GET', '/readyz');
  await gateway.call('GET', '/api/v1/applications');
  await requestSpans();
  expect(new Set(traces.spans().map(({ traceId }) => traceId)).size).toBe(1);
});
