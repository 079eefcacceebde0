import { answers, inspectReply, keywordTracking, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/keywords/inspect';
const inspect = (fields: Record<string, string> = {}) =>
  api.call('GET', `${path}?${new URLSearchParams({ keyword: 'habit tracker', ...storefront, ...fields })}`);

beforeEach(() => {
  api.tracking.answer({ listKeywordTracking: async () => ({ rows: [] }) });
  api.scoring.answer({ inspectKeyword: async () => inspectReply });
});

test('a keyword that is not tracked shows its scores, its result page and related keywords', async () => {
  const { body } = await inspect();
  expect(body).toEqual({ data: answers.inspect });
  const request = { account_id: api.accountId, storefront, keyword: 'habit tracker' };
  expect(api.tracking.requests).toMatchObject([{ method: 'listKeywordTracking', request }]);
  expect(api.scoring.requests).toMatchObject([{ method: 'inspectKeyword', request }]);
});

test('a tracked keyword shows the applications that track it, and their ranks', async () => {
  const rows = [keywordTracking, { ...keywordTracking, app_id: 43, current_rank: null, is_favorite: false }];
  api.tracking.answer({ listKeywordTracking: async () => ({ rows }) });
  const { data } = (await inspect()).body;
  const shown = { ...keywordTracking, tracked_since: '2026-06-01T08:00:00.000Z', stale: false };
  expect(data).toMatchObject({ is_tracked: true, scored_at: '2026-06-15T06:00:00.000Z' });
  expect(data.user_tracking).toEqual([
    shown,
    { ...shown, app_id: 43, current_rank: null, is_favorite: false },
  ]);
});

test('an unmeasured score is null, and so is the KEI without both scores; a measured 0 stays 0', async () => {
  const reply = { ...inspectReply, difficulty_score: null, traffic_score: 0, kei: null, ranking: [] };
  api.scoring.answer({ inspectKeyword: async () => reply });
  const { data } = (await inspect()).body;
  expect(data).toMatchObject({ difficulty_score: null, traffic_score: 0, kei: null, ranking: [] });
});

test.each(['no_results', 'unsearched', 'brand', 'few_results'])(
  'a KEI that was held down says why: %s',
  async (reason) => {
    const kei = { score: 19.9, level: 'poor', reason };
    api.scoring.answer({ inspectKeyword: async () => ({ ...inspectReply, kei }) });
    expect((await inspect()).body.data.kei).toEqual(kei);
  },
);

test('an inspection that could not be saved in the history is valid, with a warning', async () => {
  api.scoring.answer({ inspectKeyword: async () => ({ ...inspectReply, is_saved: false }) });
  const { status, body } = await inspect();
  expect([status, body.data.keyword]).toEqual([200, 'habit tracker']);
  expect(body.meta).toEqual({ warnings: ['history_save_failed'] });
});

test('storefront and keyword may be in any letter case; the services get the normal form and the canonical storefront', async () => {
  await inspect({ country: 'us', lang: 'EN-us', keyword: ' Habit Tracker ' });
  expect(api.scoring.requests[0]?.request).toMatchObject({ storefront, keyword: 'habit tracker' });
});

test('without the tracking data there is no partial answer, and the store is not read', async () => {
  api.tracking.fail('listKeywordTracking', 'SERVICE_UNAVAILABLE');
  expect(await inspect()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  expect(api.scoring.requests).toEqual([]);
});
