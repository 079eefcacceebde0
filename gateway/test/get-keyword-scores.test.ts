import { AppError } from '@shelfwise/runtime/errors';
import { plansWith } from './harness/plans-with.ts';
import {
  keywordScoresReply,
  keywordTracking,
  shownKeywordScores,
  storefront,
} from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ week: { historical_data_days: 7 } }) });
const explain = (fields: Record<string, string> = {}, key?: string) =>
  api.call(
    'GET',
    `/api/v1/keywords/scores?${new URLSearchParams({ keyword: 'Habit  Tracker', ...storefront, ...fields })}`,
    key ? { key } : {},
  );

beforeEach(() => api.tracking.answer({ listKeywordTracking: async () => ({ rows: [keywordTracking] }) }));

test('of a keyword that the account does not track, times are shown to the day, at any time of the day', async () => {
  const { breakdown } = keywordScoresReply;
  if (!breakdown) throw new Error('no breakdown');
  const scoreAt = (time: string) => {
    const at = new Date(`2026-06-14T${time}Z`);
    const inputs = breakdown.inputs.map((read) => ({ ...read, read_at: read.read_at && at }));
    const reply = { ...keywordScoresReply, breakdown: { ...breakdown, scored_at: at, inputs } };
    api.scoring.answer({ getKeywordScores: async () => reply });
  };
  api.tracking.answer({ listKeywordTracking: async () => ({ rows: [] }) });
  const answers = [];
  for (const time of ['00:00:00.000', '07:13:04.321', '11:59:00', '12:01:00', '23:59:59.999']) {
    scoreAt(time);
    answers.push((await explain()).body);
  }
  expect(answers[0].data.scored_at).toBe('2026-06-14T00:00:00.000Z');
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(api.tracking.requests[0]).toMatchObject({
    method: 'listKeywordTracking',
    request: { account_id: api.accountId, storefront, keyword: 'habit tracker' },
  });
});

test('the scores of a known keyword come with parts, inputs, ages and history', async () => {
  api.scoring.answer({ getKeywordScores: async () => keywordScoresReply });
  const { status, body } = await explain();
  expect(status).toBe(200);
  expect(body).toEqual({ data: shownKeywordScores, meta: { from: '2026-05-16', to: '2026-06-15' } });
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
  api.scoring.answer({
    getKeywordScores: async () => {
      throw new AppError('NOT_FOUND', 'Nothing is known about this keyword yet.');
    },
  });
  expect(await explain()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  const { key } = await api.createKey('week');
  expect(await explain({ from: '2026-06-01' }, key)).toMatchObject({
    status: 403,
    body: { code: 'PLAN_LIMIT' },
  });
});
