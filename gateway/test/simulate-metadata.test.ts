import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import fc from 'fast-check';
import {
  answers,
  deltaBounds,
  shownApp,
  shownFlags,
  shownReportWithWords,
  simulateReply,
  storefront,
  trackedListing,
} from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/metadata/simulate';
const simulate = (body: unknown) => api.call('POST', path, { body });

const untouchedContext = {
  rating: null,
  rating_count: null,
  screenshots: null,
  days_since_update: null,
  age_months: null,
  has_video: null,
  language_count: null,
};
const noTexts = { title: null, subtitle: null, description: null, kw_field: null };

beforeEach(() => {
  api.tracking.answer({ getTrackedListing: async () => ({ listing: trackedListing }) });
  api.scoring.answer({ simulateListing: async () => simulateReply });
});

test('a draft of an app is scored and compared with it, field by field', async () => {
  const { body } = await simulate({ app_id: 42, title: 'Draft' });
  expect(body).toEqual({
    data: {
      app: shownApp,
      ...storefront,
      ...answers.draft,
      fields: null,
      flags: shownFlags,
      scoring_version: 4,
      words_probed: 14,
      words_fetched: 3,
      saved: { id: 12, is_new: true },
      notes: ['a note'],
    },
  });
  expect(api.tracking.requests).toMatchObject([
    { method: 'getTrackedListing', request: { account_id: api.accountId, id: 42 } },
  ]);
  expect(api.scoring.requests).toMatchObject([
    {
      method: 'simulateListing',
      request: {
        account_id: api.accountId,
        app: trackedListing,
        storefront,
        draft: { ...noTexts, title: 'Draft' },
        context: untouchedContext,
        include_words: false,
      },
    },
  ]);
});

test('with include_words the fields have their words, unless too few are read', async () => {
  const shown = async () => (await simulate({ app_id: 42, include_words: true })).body.data.fields;
  expect(await shown()).toEqual(shownReportWithWords.fields);
  expect(api.scoring.requests[0]?.request).toMatchObject({ include_words: true });
  api.scoring.answer({ simulateListing: async () => ({ ...simulateReply, aso_health: null, fields: [] }) });
  expect(await shown()).toBeNull();
});

test.each([
  ['no phrase is pending', { delta_bounds: null }],
  ['axes have no bounds', { delta_bounds: { ...deltaBounds, global: null, coverage: null } }],
  ['the draft is compared with the app’s own scores', { delta_basis: null }],
  ['the scores of the basis are unread', { delta_basis: { kw_field: 'empty', aso_health: null } }],
  ['axes have no score of the app', { delta: { global: null, coverage: 3, targeting: null, appeal: 0 } }],
])('a difference has its nulls where the service has them: %s', async (_what, unknown) => {
  api.scoring.answer({ simulateListing: async () => ({ ...simulateReply, ...unknown }) });
  expect((await simulate({ app_id: 42 })).body.data).toMatchObject(unknown);
});

test('a draft without an app has nothing to compare with, and tracking is not called', async () => {
  api.scoring.answer({ simulateListing: async () => ({ ...simulateReply, delta: null }) });
  const { status, body } = await simulate({ ...storefront, country: 'us', lang: 'EN-us', title: 'Draft' });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ app: null, ...storefront, delta: null });
  expect(api.tracking.requests).toEqual([]);
  expect(api.scoring.requests[0]?.request).toMatchObject({ app: null, storefront });
});

test('a draft with too few words read has no scores, instead of 0, and meta says why', async () => {
  const unread = { global: null, coverage: null, targeting: null, appeal: 3 };
  const reply = { ...simulateReply, aso_health: null, delta: unread, notes: ['too little is known'] };
  api.scoring.answer({ simulateListing: async () => reply });
  const { status, body } = await simulate({ app_id: 42 });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ aso_health: null, delta: unread, notes: ['too little is known'] });
  expect(body.meta).toEqual({ warnings: ['audit_pending'] });
});

test('an app without a draft is enough: its live listing is scored unchanged', async () => {
  expect((await simulate({ app_id: 42 })).status).toBe(200);
  expect(api.scoring.requests[0]?.request).toMatchObject({ draft: noTexts, context: untouchedContext });
});

test('the app’s own storefront may be sent, too; any other is 400, and the message names the right one', async () => {
  expect((await simulate({ app_id: 42, ...storefront })).status).toBe(200);
  const { status, body } = await simulate({ app_id: 42, store: 'GPLAY', country: 'DE', lang: 'en-US' });
  expect([status, body.code]).toEqual([400, 'INVALID_PARAMS']);
  expect(body.details.issues.fieldErrors).toEqual({
    store: ["must be the app's own: ITUNES"],
    country: ["must be the app's own: US"],
  });
  expect(api.scoring.requests).toHaveLength(1);
});

test('the app’s language may be sent by any of its tags, alone or with store and country', async () => {
  for (const sent of [{ lang: 'en' }, { ...storefront, lang: 'en' }]) {
    const { status, body } = await simulate({ app_id: 42, ...sent });
    expect([status, body.data.lang]).toEqual([200, 'en-US']);
  }
  expect((await simulate({ app_id: 42, lang: 'en-GB' })).body.error).toBe(
    "lang must be the app's own: en-US",
  );
});

test('a storefront that is not the app’s own costs neither an API request nor a simulation', async () => {
  const { key } = await api.createKey();
  api.tracking.answer({
    getTrackedListing: async () => ({ listing: trackedListing }),
    getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }),
  });
  const usage = async () => (await api.call('GET', '/api/v1/account/usage', { key })).body.data.usage;
  const before = await usage();
  const body = { app_id: 42, store: 'GPLAY' };
  expect((await api.call('POST', path, { key, body })).status).toBe(400);
  expect(await usage()).toEqual(before);
});

test('a draft with neither a text nor an app is 400 and the message says what is missing', async () => {
  for (const body of [storefront, { ...storefront, context: { rating: 4 } }]) {
    const answer = await simulate(body);
    expect([answer.status, answer.body.error]).toEqual([
      400,
      'The body must have at least one of app_id, title, subtitle, description and kw_field',
    ]);
  }
  const { body } = await simulate({});
  expect(body.details.issues).toEqual({
    formErrors: ['The body must have at least one of app_id, title, subtitle, description and kw_field'],
    fieldErrors: {
      store: ['is required without an app_id'],
      country: ['is required without an app_id'],
      lang: ['is required without an app_id'],
    },
  });
});

test.each(['a\0b', 'a\ud83db', '\udc00', 'lost \ufffd'])(
  'a text that could not be saved unchanged is 400: %j',
  async (text) => {
    const { status, body } = await simulate({ app_id: 42, subtitle: text });
    expect([status, body.error]).toEqual([400, 'subtitle must not contain NUL or broken Unicode']);
  },
);

test('an empty text is scored as empty and not replaced by the app’s text', async () => {
  expect((await simulate({ ...storefront, subtitle: '' })).status).toBe(200);
  expect(api.scoring.requests[0]?.request).toMatchObject({ draft: { ...noTexts, subtitle: '' } });
});

test('texts reach the service as they were sent, up to 20,000 UTF-16 units each', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }).filter((some) => !hasInvalidCharacters(some)),
    fc.constantFrom(' blanks ', 'line\r\nbreak', 'x'.repeat(20_000), '😀'.repeat(10_000), '__proto__'),
  );
  await fc.assert(
    fc.asyncProperty(fc.record({ title: text, description: text, kw_field: text }), async (draft) => {
      api.scoring.requests.length = 0;
      expect((await simulate({ app_id: 42, ...draft })).status).toBe(200);
      expect(api.scoring.requests[0]?.request).toMatchObject({ draft: { ...draft, subtitle: null } });
    }),
    { numRuns: 20 },
  );
});

test('a context key that was sent is passed on, even a null; an omitted one is not', async () => {
  await simulate({ app_id: 42, context: { rating: null, screenshots: 0, has_video: false } });
  expect(api.scoring.requests[0]?.request).toMatchObject({
    context: { ...untouchedContext, rating: { value: null }, screenshots: { value: 0 }, has_video: false },
  });
});

test('every context within its ranges is accepted; one just outside is refused by name', async () => {
  const ranges: [key: string, min: number, max: number][] = [
    ['rating', 0, 5],
    ['rating_count', 0, 1e10],
    ['screenshots', 0, 100],
    ['days_since_update', 0, 3650],
    ['age_months', 0, 600],
    ['language_count', 1, 500],
  ];
  for (const [key, min, max] of ranges) {
    for (const value of [min, max])
      expect((await simulate({ app_id: 42, context: { [key]: value } })).status).toBe(200);
    for (const [value, bound] of [
      [min - 1, `must be at least ${min}`],
      [max + 1, `must be at most ${max}`],
      [2 ** 60, `must be at most ${max}`],
    ]) {
      const { status, body } = await simulate({ app_id: 42, context: { [key]: value } });
      expect([status, body.error]).toEqual([400, `context ${key} ${bound}`]);
    }
  }
  expect((await simulate({ app_id: 42, context: { age_months: null } })).status).toBe(200);
});

test('an unknown context key is refused by name, together with other problems of the context', async () => {
  const { body } = await simulate({ app_id: 42, context: { rating: 6, installs: 5 } });
  const problems = ['rating must be at most 5', 'installs is not a field of this endpoint'];
  expect(body.details.issues.fieldErrors).toEqual({ context: problems });
  expect(body.error).toBe(`context ${problems.join(', ')}`);
});

test('after stale readings meta has the time of the oldest', async () => {
  const staleReply = { ...simulateReply, stale_since: new Date('2026-06-12T00:00:00Z') };
  const staleListing = { ...trackedListing, read_at: new Date('2026-06-10T00:00:00Z') };
  api.scoring.answer({ simulateListing: async () => staleReply });
  const { body } = await simulate({ app_id: 42 });
  expect(body.meta).toEqual({ warnings: ['stale_store_data'], stale_since: '2026-06-12T00:00:00.000Z' });
  api.tracking.answer({ getTrackedListing: async () => ({ listing: staleListing }) });
  expect((await simulate({ app_id: 42 })).body.meta.stale_since).toBe('2026-06-10T00:00:00.000Z');
});
