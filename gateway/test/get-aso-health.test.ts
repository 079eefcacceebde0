import type { GetAsoHealthReply } from '@shelfwise/proto/scoring/v1/scoring';
import {
  asoReport,
  shownApp,
  shownReport,
  shownReportWithWords,
  trackedListing,
} from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/applications/42/aso-health';
const timeline = [
  { date: new Date('2026-05-01T00:00:00Z'), version: '10.0', global: 58 },
  { date: new Date('2026-04-01T00:00:00Z'), version: null, global: 0 },
];

function answerWith(changes: Partial<GetAsoHealthReply> = {}) {
  const reply = { report: asoReport, timeline, is_pending: false, is_partial: false, ...changes };
  api.scoring.answer({ getAsoHealth: async () => reply });
}

beforeEach(() => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
  answerWith();
});

test('the stored audit is shown with the app, its storefront and past releases', async () => {
  const { body } = await api.call('GET', path);
  expect(body).toEqual({
    data: {
      app: { ...shownApp, unlisted_since: null },
      report: shownReport,
      global_without_kw_field: null,
      pending: null,
      timeline: [
        { date: '2026-05-01T00:00:00.000Z', version: '10.0', global: 58 },
        { date: '2026-04-01T00:00:00.000Z', version: null, global: 0 },
      ],
    },
  });
});

test('a report with the kept keywords field has the score without it', async () => {
  answerWith({ global_without_field: 65 });
  expect((await api.call('GET', path)).body.data).toMatchObject({
    report: { global: 62 },
    global_without_kw_field: 65,
  });
});

test('the listing of this account is read from tracking and passed to scoring, which knows its keywords field by its id', async () => {
  await api.call('GET', path);
  expect(api.tracking.requests).toMatchObject([
    { method: 'getTrackedListing', request: { account_id: api.accountId, id: 42 } },
  ]);
  expect(api.scoring.requests).toMatchObject([
    {
      method: 'getAsoHealth',
      request: {
        app: trackedListing,
        include_words: false,
        account_id: api.accountId,
        without_tracked_terms: false,
      },
    },
  ]);
});

test('include_words=true adds the words of each field, without it there are none', async () => {
  const { body } = await api.call('GET', `${path}?include_words=true`);
  expect(body.data.report).toEqual(shownReportWithWords);
  expect(api.scoring.requests[0]?.request).toMatchObject({ include_words: true });
  // The fake service always sends its words.
  expect((await api.call('GET', `${path}?include_words=false`)).body.data.report).toEqual(shownReport);
});

test('a listing with too few words read has a report of null, not a score of 0, and meta says why', async () => {
  answerWith({ report: null, timeline: [], is_pending: true });
  const { body } = await api.call('GET', path);
  const app = { ...shownApp, unlisted_since: null };
  expect(body).toEqual({
    data: { app, report: null, global_without_kw_field: null, pending: null, timeline: [] },
    meta: { warnings: ['audit_pending'] },
  });
});

test('a pending audit has the fields of the present listing, and how far its words are read', async () => {
  const pending = {
    words: 4,
    words_read: 1,
    fields: asoReport.fields,
    next_look_at: new Date('2026-06-15T08:10:00Z'),
  };
  answerWith({ report: null, is_pending: true, pending });
  expect((await api.call('GET', path)).body.data.pending).toEqual({
    words: 4,
    words_read: 1,
    next_look_at: '2026-06-15T08:10:00.000Z',
    fields: shownReport.fields,
  });
  const { body } = await api.call('GET', `${path}?include_words=true`);
  expect(body.data.pending.fields).toEqual(shownReportWithWords.fields);
  answerWith({ report: null, is_pending: true, pending: { fields: [], next_look_at: null } });
  expect((await api.call('GET', path)).body.data.pending).toEqual({
    words: null,
    words_read: null,
    next_look_at: null,
    fields: [],
  });
});

test('the report of an earlier listing stays while a new one is pending; a stale reading is said, too', async () => {
  answerWith({ is_pending: true });
  const readAt = new Date(api.clock.now().getTime() - 40 * 3_600_000);
  api.tracking.answer({
    getTrackedListing: async () => ({ listing: { ...trackedListing, read_at: readAt } }),
  });
  const { body } = await api.call('GET', path);
  expect(body.data.report).toEqual(shownReport);
  expect(body.meta).toEqual({
    warnings: ['stale_store_data', 'audit_pending'],
    stale_since: readAt.toISOString(),
  });
});

test('a report with partial traffic says so', async () => {
  answerWith({ is_pending: true, is_partial: true });
  expect((await api.call('GET', path)).body.meta).toEqual({ warnings: ['audit_pending', 'audit_partial'] });
});

test('a value that the store does not show is null; a 0 stays 0', async () => {
  const appeal = { rating: null, screenshots: 0, screenshots_target: 8, days_since_update: null };
  answerWith({ report: { ...asoReport, global: 0, appeal } });
  const { report } = (await api.call('GET', path)).body.data;
  expect(report).toMatchObject({
    global: 0,
    appeal: {
      rating: { value: null },
      screenshots: { count: 0, target: 8 },
      freshness: { days_since_update: null },
    },
  });
});

test('a listing that was read more than 36 hours ago is stale, and meta says since when', async () => {
  // A second passes before each call.
  for (const [hours, isStale] of [
    [35.99, false],
    [36, true],
  ] as const) {
    const readAt = new Date(api.clock.now().getTime() - hours * 3_600_000);
    api.tracking.answer({
      getTrackedListing: async () => ({ listing: { ...trackedListing, read_at: readAt } }),
    });
    const meta = { warnings: ['stale_store_data'], stale_since: readAt.toISOString() };
    expect((await api.call('GET', path)).body.meta).toEqual(isStale ? meta : undefined);
  }
});

test.each([
  ['a verdict', { targeting: { keywords: [{ verdict: 'maybe' }] } }],
  ['a status of a word', { fields: [{ key: 'title', state: 'scored', words: [{ status: 'new' }] }] }],
  ['a tier', { tier: 4 }],
  ['a time', { computed_at: null }],
])('%s that the API does not know is 500, never passed on', async (_what, wrong) => {
  answerWith({ report: { ...asoReport, ...wrong } as typeof asoReport });
  expect(refusalOf(await api.call('GET', `${path}?include_words=true`))).toBe('500 INTERNAL_ERROR');
});
