import { trackedKeyword, trackedListing } from '../../../gateway/test/harness/sample-replies.ts';
import { useGateway } from '../../../gateway/test/harness/use-gateway.ts';
import { ApiError, createClient } from '../src/index.ts';

const gateway = useGateway();

/** With the key of the account of this file. */
function connect(options: Partial<Parameters<typeof createClient>[0]> = {}) {
  return createClient({ baseUrl: gateway.url, apiKey: gateway.key, ...options });
}

test('a list is read page by page, with its nulls', async () => {
  const missing = { ...trackedKeyword, current_rank: null, traffic_score: null, ahead: null };
  gateway.tracking.answer({
    listKeywords: async ({ page }) => ({ keywords: [{ ...missing, keyword: `word ${page}` }], total: 3 }),
  });
  const rows = [];
  for await (const row of connect().rows.listKeywords({ per_page: 1, favorites: true })) rows.push(row);
  expect(rows.map(({ keyword }) => keyword)).toEqual(['word 1', 'word 2', 'word 3']);
  expect(rows[0]).toMatchObject({ current_rank: null, traffic_score: null, ahead: null });
});

test('warnings of the API are there', async () => {
  gateway.tracking.answer({ listKeywords: async () => ({ keywords: [], total: 0 }) });
  // What a newer client sends to an older API.
  const client = connect({ fetch: (url, options) => fetch(`${url}?newer=1`, options) });
  const { warnings, requestId } = await client.listKeywords();
  expect(warnings).toEqual(['unknown_parameter: newer']);
  expect(requestId).toMatch(/^[\w-]+$/);
});

test('wrong parameters are an error that names them', async () => {
  const call = connect().inspectKeyword({ keyword: 'x', store: 'ITUNES', country: 'USA', lang: 'en-US' });
  const error = await call.catch((reason: ApiError) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'INVALID_PARAMS', status: 400, isTemporary: false });
  expect(error).toMatchObject({
    details: { issues: { fieldErrors: { keyword: expect.any(Array), country: expect.any(Array) } } },
  });
});

test('a refusal has its code and the id of the call', async () => {
  await expect(connect({ apiKey: 'sw_live_wrong' }).listApplications()).rejects.toMatchObject({
    code: 'INVALID_API_KEY',
    status: 401,
  });
  gateway.tracking.fail('trackApplication', 'DUPLICATE', 'It is there.');
  const app = { app_id: '281796108', store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
  await expect(connect().trackApplication(app, { requestId: 'mine.1' })).rejects.toMatchObject({
    code: 'DUPLICATE',
    message: 'It is there.',
    requestId: 'mine.1',
  });
});

test('a full rate window is waited for', async () => {
  const waits: number[] = [];
  gateway.tracking.answer({
    listApplications: async () => ({
      applications: [{ listing: trackedListing, keyword_count: 1, aso_health: null }],
      total: 1,
    }),
  });
  const client = connect({
    onRetry: (error, waitMs) => {
      waits.push(waitMs);
      expect(error).toMatchObject({ code: 'RATE_LIMITED', rateLimit: { limit: 5 } });
      gateway.clock.advance(1020);
    },
  });
  for (let call = 0; call < 6; call++) expect((await client.listApplications()).data).toHaveLength(1);
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeGreaterThanOrEqual(1000);
});

test('while a service is away, a read is made again and a write is not', async () => {
  gateway.tracking.fail('trackKeywords', 'SERVICE_UNAVAILABLE');
  gateway.tracking.fail('listApplications', 'SERVICE_UNAVAILABLE');
  let retries = 0;
  const client = connect({
    maxRetries: 1,
    onRetry() {
      retries++;
      gateway.clock.advance(1020);
    },
  });
  const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
  const write = client.trackKeywords({ keywords: ['notes'], app_id: 42, ...storefront });
  const away = { code: 'SERVICE_UNAVAILABLE', isTemporary: true };
  await expect(write).rejects.toMatchObject({ ...away, isRepeatable: false });
  expect(retries).toBe(0);
  expect(gateway.tracking.requests.filter(({ method }) => method === 'trackKeywords')).toHaveLength(1);
  await expect(client.listApplications()).rejects.toMatchObject({ ...away, isRepeatable: true });
  expect(retries).toBe(1);
});
