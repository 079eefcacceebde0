import { answers, keywordScoresReply, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const path = '/api/v1/keywords/7/scores';

test('the scores of a tracked keyword are explained', async () => {
  api.tracking.answer({
    getKeyword: async () => ({ keyword_id: 7, keyword: 'habit tracker', storefront, is_tracked: true }),
  });
  api.scoring.answer({ getKeywordScores: async () => keywordScoresReply });
  const { body } = await api.call('GET', `${path}?from=2026-06-10&to=2026-06-14`);
  const window = { from: '2026-06-10', to: '2026-06-14' };
  expect(body).toEqual({ data: { keyword_id: 7, ...answers.keyword_scores }, meta: window });
  expect(api.tracking.requests).toMatchObject([
    { method: 'getKeyword', request: { account_id: api.accountId, keyword_id: 7 } },
  ]);
  expect(api.scoring.requests).toMatchObject([
    { method: 'getKeywordScores', request: { storefront, keyword: 'habit tracker', ...window } },
  ]);
});

test('a keyword that the account never tracked is 404, and scoring is not asked', async () => {
  api.tracking.fail('getKeyword', 'NOT_FOUND');
  expect(await api.call('GET', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  expect(api.scoring.requests).toEqual([]);
});
