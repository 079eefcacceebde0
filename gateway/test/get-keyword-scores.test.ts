import { plansWith } from './harness/plans-with.ts';
import { answers, keywordScoresReply, keywordTracking, storefront } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ week: { historical_data_days: 7 } }) });
const explain = (fields: Record<string, string> = {}, key?: string) =>
  api.call(
    'GET',
    `/api/v1/keywords/scores?${new URLSearchParams({ keyword: 'Habit  Tracker', ...storefront, ...fields })}`,
    key ? { key } : {},
  );

beforeEach(() => api.tracking.answer({ listKeywordTracking: async () => ({ rows: [keywordTracking] }) }));

test('the scores of a known keyword come with parts, inputs, ages and history', async () => {
  api.scoring.answer({ getKeywordScores: async () => keywordScoresReply });
  const { body } = await explain();
  expect(body).toEqual({ data: answers.keyword_scores, meta: { from: '2026-05-16', to: '2026-06-15' } });
  const request = { account_id: api.accountId, storefront, keyword: 'habit tracker' };
  expect(api.tracking.requests).toMatchObject([{ method: 'listKeywordTracking', request }]);
  expect(api.scoring.requests).toMatchObject([
    {
      method: 'getKeywordScores',
      request: { storefront, keyword: 'habit tracker', from: '2026-05-16', to: '2026-06-15' },
    },
  ]);
});

test('what is unknown is null, and a page of two days ago is stale', async () => {
  const { breakdown } = keywordScoresReply;
  if (!breakdown) throw new Error('no breakdown');
  const unknown = { difficulty: null, traffic: null, kei: null, kei_level: null, is_searched: null };
  const answer = (rankDate: string | null) =>
    api.scoring.answer({
      getKeywordScores: async () => ({
        breakdown: { ...breakdown, ...unknown, rank_date: rankDate },
        history: [],
      }),
    });
  answer('2026-06-13');
  expect((await explain()).body.data).toMatchObject({
    difficulty_score: null,
    traffic_score: null,
    kei: null,
    is_searched: null,
    rank_date: '2026-06-13',
    stale: true,
    history: [],
  });
  answer('2026-06-14');
  expect((await explain()).body.data).toMatchObject({ rank_date: '2026-06-14', stale: false });
  answer(null);
  expect((await explain()).body.data).toMatchObject({ rank_date: null, stale: true, is_navigational: null });
});

test('a keyword about which nothing is known is 404, and the history has the depth of the plan', async () => {
  api.scoring.fail('getKeywordScores', 'NOT_FOUND');
  expect(await explain()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  const { key } = await api.createKey('week');
  expect(refusalOf(await explain({ from: '2026-06-01' }, key))).toBe('403 PLAN_LIMIT');
});
