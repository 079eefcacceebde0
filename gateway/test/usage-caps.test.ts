import { request } from 'node:http';
import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import { plansWith } from './harness/plans-with.ts';
import { inspectReply, keywordTracking, simulateReply, trackedListing } from './harness/sample-replies.ts';
import { sampleRequests } from './harness/sample-requests.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({
  plans: plansWith({
    two: { keyword_inspections_per_month: 2, metadata_simulations_per_month: 2 },
    none: { keyword_inspections_per_month: 0, metadata_simulations_per_month: 0 },
  }),
});

function answerWell(): void {
  api.tracking.answer({
    getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }),
    getTrackedListing: async () => ({ listing: trackedListing }),
    listKeywordTracking: async () => ({ rows: [] }),
  });
  api.scoring.answer({
    simulateListing: async () => simulateReply,
    inspectKeyword: async () => inspectReply,
  });
}

async function usageOf(key: string) {
  return (await api.call('GET', '/api/v1/account/usage', { key })).body.data.usage;
}

beforeEach(answerWell);

describe.each([
  ['simulateMetadata', 'POST', 'metadata_simulations'],
  ['inspectKeyword', 'GET', 'keyword_inspections'],
] as const)('%s', (id, method, counter) => {
  const { path, body } = sampleRequests[id]?.good ?? { path: '' };
  const ask = (key: string, atOnce = false) => api.call(method, path, { key, body, atOnce });

  test('is counted beside the API request, up to the cap of the plan', async () => {
    const { key } = await api.createKey('two');
    for (let use = 1; use <= 2; use++) {
      expect((await ask(key)).status).toBe(200);
      expect(await usageOf(key)).toMatchObject({ [counter]: use, api_requests: use });
    }
    api.scoring.asked.length = 0;
    const refused = await ask(key);
    expect(refused).toMatchObject({ status: 403, body: { code: 'PLAN_LIMIT' } });
    expect(refused.body.error).toBe(
      `Your plan has 2 ${counter.replace('_', ' ')} a month (${counter}_per_month), and all are spent. The next month begins at 2026-07-01T00:00:00.000Z.`,
    );
    expect(api.scoring.asked).toEqual([]);
    // Like any call that ends in a 4xx it has spent its API request.
    expect(await usageOf(key)).toMatchObject({ [counter]: 2, api_requests: 3 });
  });

  test('is counted without a cap too', async () => {
    const { key } = await api.createKey();
    for (let use = 0; use < 3; use++) expect((await ask(key)).status).toBe(200);
    expect(await usageOf(key)).toMatchObject({ [counter]: 3 });
  });

  test('at one moment is never admitted more often than the cap has room', async () => {
    const { key } = await api.createKey('two');
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(key, true)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403]);
    expect(await usageOf(key)).toMatchObject({ [counter]: 2 });
  });

  test('on a plan that has none is PLAN_LIMIT from the first one on', async () => {
    const { key } = await api.createKey('none');
    expect((await ask(key)).body.code).toBe('PLAN_LIMIT');
    expect(await usageOf(key)).toMatchObject({ [counter]: 0 });
  });

  test.each<[ErrorCode, number]>([
    ['INTERNAL_ERROR', 500],
    ['SERVICE_UNAVAILABLE', 503],
    ['INVALID_PARAMS', 400],
  ])('that ends in %s is not counted', async (code, status) => {
    const { key } = await api.createKey('two');
    const fail = async (): Promise<never> => {
      throw new AppError(code, 'This is why.');
    };
    api.scoring.answer({ simulateListing: fail, inspectKeyword: fail });
    for (let attempt = 0; attempt < 3; attempt++) expect((await ask(key)).status).toBe(status);
    expect(await usageOf(key)).toMatchObject({ [counter]: 0 });
  });

  test('whose answer of the service is broken is not counted', async () => {
    const { key } = await api.createKey('two');
    api.scoring.answer({
      simulateListing: async () => ({ ...simulateReply, listing: null }),
      inspectKeyword: async () => ({ ...inspectReply, kei: { score: 1, level: 'unknown' } }),
    });
    expect((await ask(key)).status).toBe(500);
    expect(await usageOf(key)).toMatchObject({ [counter]: 0, api_requests: 0 });
  });

  test('is counted when the caller leaves before the answer, or leaving would make it free', async () => {
    const { key } = await api.createKey('two');
    const leave = (_request: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        sent.destroy();
      });
    api.scoring.answer({ simulateListing: leave, inspectKeyword: leave });
    api.clock.advance(1020);
    const headers = {
      'x-api-key': key,
      'x-request-id': `left-${id}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = request(`${api.url}${path}`, { method, headers });
    sent.once('error', () => {}).end(body === undefined ? undefined : JSON.stringify(body));
    const isLogged = () => api.lines.some((line) => line.includes(`left-${id}`) && line.includes('failed'));
    while (!isLogged()) await new Promise((resolve) => setTimeout(resolve, 5));
    answerWell();
    expect(await usageOf(key)).toMatchObject({ [counter]: 1 });
  });
});

test('inspecting a keyword that the account tracks is not counted, and no cap stops it', async () => {
  const { key } = await api.createKey('none');
  api.tracking.answer({ listKeywordTracking: async () => ({ rows: [keywordTracking] }) });
  const { path } = sampleRequests.inspectKeyword?.good ?? { path: '' };
  expect((await api.call('GET', path, { key })).status).toBe(200);
  expect(await usageOf(key)).toMatchObject({ keyword_inspections: 0, api_requests: 1 });
});

test('the next calendar month has room again', async () => {
  const { key } = await api.createKey('two');
  const { path } = sampleRequests.inspectKeyword?.good ?? { path: '' };
  for (const status of [200, 200, 403]) expect((await api.call('GET', path, { key })).status).toBe(status);
  api.clock.advance(Date.parse('2026-07-01T00:00:00Z') - api.clock.now().getTime());
  expect((await api.call('GET', path, { key })).status).toBe(200);
  expect(await usageOf(key)).toMatchObject({ keyword_inspections: 1 });
});
