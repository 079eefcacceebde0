import { request } from 'node:http';
import { NicheOrigin } from '@shelfwise/proto/niche/v1/niche';
import { until } from '../../testing/until.ts';
import { beginNiche } from './harness/fake-answers.ts';
import { answers, nicheAnalysis, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const pathOf = (fields: Record<string, string> = {}) =>
  `/api/v1/niches?${new URLSearchParams({ topic: 'habit tracker', ...storefront, ...fields })}`;
const analyze = (fields?: Record<string, string>) => api.call('GET', pathOf(fields));
const fresh = { analysis: nicheAnalysis, origin: NicheOrigin.FRESH, is_saved: true };

const empty = { ...nicheAnalysis, clusters: [], total_keywords: 0, oldest_read_at: null };

const counts = { candidates: 120, left_out: 7, unanswered: 2 };
const shown = answers.niche;

beforeEach(() => {
  api.niche.answer({ analyzeNiche: beginNiche(async () => fresh) });
});

test('a topic is analyzed: clusters with their keywords, and how much could not be read', async () => {
  const { body } = await analyze();
  expect(body).toEqual({ data: shown, meta: { cached: false, ...counts } });
  const request = { account_id: api.accountId, storefront, topic: 'habit tracker' };
  expect(api.niche.requests).toMatchObject([
    { method: 'analyzeNiche', request: { ...request, may_begin: true } },
  ]);
});

test('a cached analysis is answered immediately and marked as cached', async () => {
  api.niche.answer({ analyzeNiche: async () => ({ ...fresh, origin: NicheOrigin.CACHED }) });
  expect((await analyze()).body).toEqual({ data: shown, meta: { cached: true, ...counts } });
});

test.each(['topic_page_short', 'no_terms_read', 'no_related_terms', 'no_searched_terms'])(
  'an analysis without clusters says why: %s',
  async (reason) => {
    const analysis = { ...empty, no_clusters_reason: reason };
    api.niche.answer({ analyzeNiche: async () => ({ ...fresh, analysis }) });
    const { body } = await analyze();
    expect(body.data).toMatchObject({ clusters: [], totalKeywords: 0 });
    expect(body.meta).toEqual({ cached: false, ...counts, warnings: [reason] });
  },
);

test('an unknown reason in a reply is 500, never passed on', async () => {
  const analysis = { ...empty, no_clusters_reason: 'mystery' };
  api.niche.answer({ analyzeNiche: async () => ({ ...fresh, analysis }) });
  expect(await analyze()).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
});

test('all warnings of an analysis are answered together', async () => {
  const analysis = { ...empty, no_clusters_reason: 'no_related_terms', is_topic_page_unread: true };
  api.niche.answer({ analyzeNiche: async () => ({ ...fresh, analysis, is_saved: false }) });
  const warnings = ['history_save_failed', 'topic_page_unread', 'no_related_terms'];
  expect((await analyze()).body.meta.warnings).toEqual(warnings);
});

test('an analysis without the result page of its topic has a warning', async () => {
  const analysis = { ...nicheAnalysis, is_topic_page_unread: true };
  api.niche.answer({ analyzeNiche: async () => ({ ...fresh, analysis }) });
  expect((await analyze()).body).toMatchObject({ data: shown, meta: { warnings: ['topic_page_unread'] } });
});

test.each([
  ['cached', async () => ({ ...fresh, origin: NicheOrigin.CACHED, is_saved: false })],
  ['new', beginNiche(async () => ({ ...fresh, is_saved: false }))],
])(
  'a %s analysis that could not be saved in the history is valid, with a warning',
  async (_what, analyzeNiche) => {
    api.niche.answer({ analyzeNiche });
    const { status, body } = await analyze();
    expect([status, body.data.topic]).toEqual([200, 'habit tracker']);
    expect(body.meta.warnings).toEqual(['history_save_failed']);
  },
);

test('an analysis that fails because of the store is 502 ANALYSIS_FAILED', async () => {
  api.niche.fail('analyzeNiche', 'ANALYSIS_FAILED');
  expect(await analyze()).toMatchObject({ status: 502, body: { code: 'ANALYSIS_FAILED' } });
});

test('an unknown intent in a reply is 500, never passed on', async () => {
  const clusters = nicheAnalysis.clusters.map((cluster) => ({ ...cluster, intent_type: 'mystery' }));
  api.niche.answer({ analyzeNiche: async () => ({ ...fresh, analysis: { ...nicheAnalysis, clusters } }) });
  expect(await analyze()).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
});

test('an analysis has a deadline of 300 seconds', async () => {
  // The call is made after this moment, and arrives before the other one.
  const before = new Date();
  const bounds: number[] = [];
  api.niche.answer({
    analyzeNiche: async (_request, { deadline }) => {
      for (const moment of [before, new Date()]) bounds.push(deadline.getTime() - moment.getTime());
      return fresh;
    },
  });
  await analyze();
  const [longest = 0, shortest = Infinity] = bounds;
  // gRPC counts whole milliseconds.
  expect(longest).toBeGreaterThan(299_990);
  expect(shortest).toBeLessThanOrEqual(300_000);
});

/** Lets the gateway receive what the service has sent ahead of its reply. */
const untilReceived = () => api.call('GET', '/healthz');

test('once the analysis runs, a client that disconnects does not abort the call of the service, and the next caller is served', async () => {
  let isAborted = false;
  const replied = new Promise<void>((resolve) => {
    api.niche.answer({
      analyzeNiche: async (_request, { signal, onStarted }) => {
        signal.addEventListener('abort', () => (isAborted = true));
        onStarted?.();
        await untilReceived();
        sent.destroy();
        await until(() => api.lines.some((line) => line.includes('left-niche')));
        resolve();
        return fresh;
      },
    });
  });
  api.clock.advance(1020);
  const headers = { 'x-api-key': api.key, 'x-request-id': 'left-niche' };
  const sent = request(`${api.url}${pathOf()}`, { headers });
  sent.once('error', () => {}).end();
  await replied;
  expect(isAborted).toBe(false);
  api.niche.answer({ analyzeNiche: async () => fresh });
  expect((await analyze()).status).toBe(200);
});

test('while the analysis waits for its turn, a client that disconnects ends the call of the service', async () => {
  const aborted = new Promise<void>((resolve) => {
    api.niche.answer({
      analyzeNiche: async (_request, { signal }) => {
        signal.addEventListener('abort', () => resolve());
        sent.destroy();
        return new Promise(() => {});
      },
    });
  });
  api.clock.advance(1020);
  const sent = request(`${api.url}${pathOf()}`, { headers: { 'x-api-key': api.key } });
  sent.once('error', () => {}).end();
  await aborted;
});
