import { AppError } from '@shelfwise/runtime/errors';
import { inspectReply, keywordTracking, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/keywords/inspect';
const inspect = (fields: Record<string, string> = {}) =>
  api.call('GET', `${path}?${new URLSearchParams({ keyword: 'habit tracker', ...storefront, ...fields })}`);

beforeEach(() => {
  api.tracking.answer({ listKeywordTracking: async () => ({ rows: [] }) });
  api.scoring.answer({ inspectKeyword: async () => inspectReply });
});

test('a keyword that nobody tracks shows its scores, its result page and what is near it', async () => {
  const { status, body } = await inspect();
  expect(status).toBe(200);
  expect(body).toEqual({
    data: {
      keyword: 'habit tracker',
      ...storefront,
      difficulty_score: 41,
      traffic_score: 58,
      kei: { score: 47.3, level: 'good' },
      ranking: inspectReply.ranking,
      related_keywords: ['daily habits', 'routine'],
      is_tracked: false,
      user_tracking: [],
    },
  });
  const request = { account_id: api.accountId, storefront, keyword: 'habit tracker' };
  expect(api.tracking.asked).toMatchObject([{ method: 'listKeywordTracking', request }]);
  expect(api.scoring.asked).toMatchObject([{ method: 'inspectKeyword', request }]);
});

test('a keyword that the account tracks says for which applications, and how they rank', async () => {
  const rows = [keywordTracking, { ...keywordTracking, app_id: 43, current_rank: null, is_favorite: false }];
  api.tracking.answer({ listKeywordTracking: async () => ({ rows }) });
  const { data } = (await inspect()).body;
  const shown = { ...keywordTracking, tracked_since: '2026-06-01T08:00:00.000Z' };
  expect(data.is_tracked).toBe(true);
  expect(data.user_tracking).toEqual([
    shown,
    { ...shown, app_id: 43, current_rank: null, is_favorite: false },
  ]);
});

test('what was not measured is null, a KEI without one of its scores too; a measured 0 stays 0', async () => {
  const reply = { ...inspectReply, difficulty_score: null, traffic_score: 0, kei: null, ranking: [] };
  api.scoring.answer({ inspectKeyword: async () => reply });
  const { data } = (await inspect()).body;
  expect(data).toMatchObject({ difficulty_score: null, traffic_score: 0, kei: null, ranking: [] });
});

test('an inspection that is not in the history is valid and says so', async () => {
  api.scoring.answer({ inspectKeyword: async () => ({ ...inspectReply, is_saved: false }) });
  const { status, body } = await inspect();
  expect([status, body.data.keyword]).toEqual([200, 'habit tracker']);
  expect(body.meta).toEqual({ warnings: ['history_save_failed'] });
});

test('market and keyword may be in any letter case; the services get the normal form and the canonical market', async () => {
  await inspect({ country: 'us', lang: 'EN-us', keyword: ' Habit Tracker ' });
  expect(api.scoring.asked[0]?.request).toMatchObject({ storefront, keyword: 'habit tracker' });
});

test('a result page that cannot be read is 502', async () => {
  api.scoring.answer({
    inspectKeyword: async () => {
      throw new AppError('STORE_FETCH_FAILED', 'The App Store did not answer. Try again.');
    },
  });
  expect(await inspect()).toMatchObject({ status: 502, body: { code: 'STORE_FETCH_FAILED' } });
});

test('when it cannot be read who tracks it, there is no half an answer, and the store is not asked', async () => {
  api.tracking.answer({
    listKeywordTracking: async () => {
      throw new AppError('SERVICE_UNAVAILABLE', 'The database does not answer. Try again.');
    },
  });
  expect(await inspect()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  expect(api.scoring.asked).toEqual([]);
});
