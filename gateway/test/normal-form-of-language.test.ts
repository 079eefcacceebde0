import { inspectReply, storefront } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();
const turkish = { store: 'ITUNES', country: 'TR', lang: 'tr-TR' };

test.each([
  [turkish, 'ışık'],
  [storefront, 'işik'],
])('a keyword to inspect has the lower case of the language: %j', async (sent, keyword) => {
  api.tracking.answer({ listKeywordTracking: async () => ({ rows: [] }) });
  api.scoring.answer({ inspectKeyword: async () => inspectReply });
  const query = new URLSearchParams({ keyword: ' IŞIK ', ...sent });
  expect((await api.call('GET', `/api/v1/keywords/inspect?${query}`)).status).toBe(200);
  expect(api.scoring.requests.at(-1)?.request).toMatchObject({ keyword });
});

test.each([
  [turkish, ['ışık', 'hızlı oyun']],
  [storefront, ['işik', 'hizli oyun']],
])('so have keywords to track: %j', async (sent, keywords) => {
  api.tracking.answer({ trackKeywords: async () => ({ results: [] }) });
  const body = { keywords: ['IŞIK', 'HIZLI  Oyun'], app_id: 42, ...sent };
  expect((await api.call('POST', '/api/v1/keywords', { body })).status).toBe(200);
  expect(api.tracking.requests.at(-1)?.request).toMatchObject({ keywords });
});
