import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({ isRemote: true });
const path = '/api/v1/keywords';
const body = {
  keywords: ['habit tracker', 'planner'],
  app_id: 42,
  ...storefront,
};

test('one failed keyword does not affect the others, and both kinds are counted', async () => {
  api.tracking.answer({
    trackKeywords: async () => ({
      results: [
        {
          keyword: 'habit tracker',
          outcome: { $case: 'success', value: 'Tracked, rank 3.' },
          first_rank: { keyword_id: 7, rank: 3, depth: 87, rank_date: '2026-06-15' },
        },
        {
          keyword: 'planner',
          outcome: { $case: 'error', value: 'It is tracked already.' },
          first_rank: null,
        },
      ],
    }),
  });
  const { body: answer } = await api.call('POST', path, { body });
  expect(answer).toEqual({
    data: {
      results: [
        {
          keyword: 'habit tracker',
          success: 'Tracked, rank 3.',
          keyword_id: 7,
          rank: 3,
          depth: 87,
          rank_date: '2026-06-15',
          stale: false,
        },
        { keyword: 'planner', error: 'It is tracked already.' },
      ],
      success_count: 1,
      error_count: 1,
    },
  });
  expect(api.tracking.requests[0]?.request).toEqual({
    account_id: api.accountId,
    app_id: 42,
    storefront,
    keywords: ['habit tracker', 'planner'],
    max_keywords: null,
  });
});

test.each([
  ['2 characters', 'ab'],
  ['100 characters', 'a'.repeat(100)],
  ['100 characters beyond the basic plane', '😀'.repeat(100)],
  ['two Chinese characters', '记账'],
  ['right-to-left text', 'تعلم العربية'],
  ['100 letters written with separate accents', 'é'.normalize('NFD').repeat(100)],
  ['blanks around it', '  habit tracker  '],
  ['a name with a meaning in JavaScript', '__proto__'],
])('a keyword of %s is accepted, in its normal form', async (_what, keyword) => {
  api.tracking.answer({
    trackKeywords: async ({ keywords }) => ({
      results: keywords.map((one) => ({
        keyword: one,
        outcome: { $case: 'success', value: 'Tracked.' },
        first_rank: { keyword_id: 7, depth: 0, rank_date: '2026-06-15' },
      })),
    }),
  });
  const { status, body: answer } = await api.call('POST', path, { body: { ...body, keywords: [keyword] } });
  expect(status).toBe(200);
  expect(answer.data.results).toMatchObject([
    { keyword: normalizeKeyword(keyword), success: 'Tracked.', rank: null, depth: 0 },
  ]);
});

test('a wrong keyword is reported with its position', async () => {
  const { body: answer } = await api.call('POST', path, {
    body: { ...body, keywords: ['ok', 'x', 5, 'a'.repeat(101)] },
  });
  expect(answer.details.issues.fieldErrors.keywords).toEqual([
    'item 2 must have 2 to 100 characters',
    'item 3 must be text',
    'item 4 must have 2 to 100 characters',
  ]);
});

test('an answer is 200 even when all 20 keywords fail', async () => {
  api.tracking.answer({
    trackKeywords: async ({ keywords }) => ({
      results: keywords.map((keyword) => ({
        keyword,
        outcome: { $case: 'error', value: 'No page.' },
        first_rank: null,
      })),
    }),
  });
  const keywords = Array.from({ length: 20 }, (_, index) => `keyword ${index}`);
  const { status, body: answer } = await api.call('POST', path, { body: { ...body, keywords } });
  expect(status).toBe(200);
  expect(answer.data).toMatchObject({ success_count: 0, error_count: 20 });
});
