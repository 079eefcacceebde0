import { request } from 'node:http';
import { type AnalyzeNicheRequest, NicheOrigin } from '@shelfwise/proto/niche/v1/niche';
import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import { toSampleRequest } from '../../testing/sample-request.ts';
import { until } from '../../testing/until.ts';
import { analyzeNiche } from '../src/routes/analyze-niche.ts';
import { inspectKeyword } from '../src/routes/inspect-keyword.ts';
import type { Route } from '../src/routes/route/define-route.ts';
import { runAutocomplete } from '../src/routes/run-autocomplete.ts';
import { simulateMetadata } from '../src/routes/simulate-metadata.ts';
import { answerEverything, answerWorkWith, beginNiche, failWith } from './harness/fake-answers.ts';
import { plansWith } from './harness/plans-with.ts';
import { inspectReply, keywordTracking, nicheAnalysis, simulateReply } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({
  plans: plansWith({
    two: {
      keyword_inspections_per_month: 2,
      metadata_simulations_per_month: 2,
      autocomplete_queries_per_month: 2,
      niche_analyses_per_month: 2,
    },
    one: { niche_analyses_per_month: 1 },
    none: {
      keyword_inspections_per_month: 0,
      metadata_simulations_per_month: 0,
      autocomplete_queries_per_month: 0,
      niche_analyses_per_month: 0,
    },
  }),
});

async function readUsage(key: string) {
  return (await api.call('GET', '/api/v1/account/usage', { key })).body.data.usage;
}

/** Counts the requests to services that do the work, without those that only determine what it costs. */
function countWorkRequests(): number {
  const work = ['simulateListing', 'inspectKeyword', 'runAutocomplete'];
  const analyses = api.niche.requests.filter(({ request }) => (request as AnalyzeNicheRequest).may_begin);
  return api.requests().filter(({ method }) => work.includes(method)).length + analyses.length;
}

const withoutNumbers = (sentence: string) => sentence.replace(/\d+/g, '0');

beforeEach(() => answerEverything(api.services));

describe.each([
  ['metadata_simulations', simulateMetadata],
  ['keyword_inspections', inspectKeyword],
  ['autocomplete_queries', runAutocomplete],
  ['niche_analyses', analyzeNiche],
] as const)('%s', (counter, route) => {
  const { path, body } = toSampleRequest(route);
  const method = route.method.toUpperCase();
  const ask = (key: string, withoutPause = false) => api.call(method, path, { key, body, withoutPause });

  test('is counted in addition to the API request, up to the cap of the plan', async () => {
    const { key } = await api.createKey('two');
    for (let use = 1; use <= 2; use++) {
      expect((await ask(key)).status).toBe(200);
      expect(await readUsage(key)).toMatchObject({ [counter]: use, api_requests: use });
    }
    const before = countWorkRequests();
    const refused = await ask(key);
    expect(refused).toMatchObject({ status: 403, body: { code: 'PLAN_LIMIT' } });
    expect(refused.body.error).toBe(
      `Your plan has 2 ${counter.replace('_', ' ')} a month (${counter}_per_month), and all are spent. The next month begins at 2026-07-01T00:00:00.000Z.`,
    );
    expect(countWorkRequests()).toBe(before);
    const documented = route.errors.PLAN_LIMIT ?? '';
    expect(withoutNumbers(refused.body.error)).toBe(withoutNumbers(documented));
    // It gives its API request back.
    expect(await readUsage(key)).toMatchObject({ [counter]: 2, api_requests: 2 });
    expect(refused.headers.get('retry-after')).toBeNull();
  });

  test('on a plan with a cap of 0 is PLAN_LIMIT from the first call', async () => {
    const { key } = await api.createKey('none');
    const { code, error } = (await ask(key)).body;
    expect(code).toBe('PLAN_LIMIT');
    expect(error).toBe(`Your plan has no ${counter.replace('_', ' ')} (${counter}_per_month is 0).`);
    expect(await readUsage(key)).toMatchObject({ [counter]: 0 });
  });

  test.each<[ErrorCode, number]>([
    ['INTERNAL_ERROR', 500],
    ['SERVICE_UNAVAILABLE', 503],
    ['INVALID_PARAMS', 400],
  ])('that ends in %s is not counted', async (code, status) => {
    const { key } = await api.createKey('two');
    failWith(api.services, code);
    for (let attempt = 0; attempt < 3; attempt++) expect((await ask(key)).status).toBe(status);
    expect(await readUsage(key)).toMatchObject({ [counter]: 0 });
  });

  test('with a broken reply of the service is not counted', async () => {
    const { key } = await api.createKey('two');
    api.scoring.answer({
      simulateListing: async () => ({ ...simulateReply, listing: null }),
      inspectKeyword: async () => ({ ...inspectReply, kei: { score: 1, level: 'unknown' } }),
    });
    api.storeFetch.answer({
      runAutocomplete: () => {
        throw new RangeError('what no handler throws');
      },
    });
    api.niche.answer({
      analyzeNiche: beginNiche(async () => ({ analysis: null, origin: NicheOrigin.FRESH, is_saved: true })),
    });
    expect((await ask(key)).status).toBe(500);
    expect(await readUsage(key)).toMatchObject({ [counter]: 0, api_requests: 0 });
  });
});

/** Sends the sample of a route and disconnects. `sent.destroy` disconnects. */
function send(route: Pick<Route, 'path' | 'sample' | 'method'>, key: string, requestId: string) {
  const { path, body } = toSampleRequest(route);
  api.clock.advance(1020);
  const headers: Record<string, string> = { 'x-api-key': key, 'x-request-id': requestId };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const sent = request(`${api.url}${path}`, { method: route.method, headers });
  sent.once('error', () => {}).end(body === undefined ? undefined : JSON.stringify(body));
  return sent;
}

/** Waits until the log has a line with all of these texts. */
async function untilLogged(...texts: string[]): Promise<void> {
  await until(() => api.lines.some((line) => texts.every((text) => line.includes(text))));
}

test.each([
  ['metadata_simulations', simulateMetadata],
  ['keyword_inspections', inspectKeyword],
  ['autocomplete_queries', runAutocomplete],
] as const)(
  '%s is counted even when the caller disconnects; otherwise disconnecting would make it free',
  async (counter, route) => {
    const { key } = await api.createKey('two');
    answerWorkWith(
      api.services,
      (_request, { signal }) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          sent.destroy();
        }),
    );
    const sent = send(route, key, `left-${counter}`);
    await untilLogged(`left-${counter}`, 'the caller disconnected');
    answerEverything(api.services);
    expect(await readUsage(key)).toMatchObject({ [counter]: 1 });
  },
);

test('inspecting a keyword that the account tracks is not counted, and no cap stops it', async () => {
  const { key } = await api.createKey('none');
  api.tracking.answer({ listKeywordTracking: async () => ({ rows: [keywordTracking] }) });
  const { path } = toSampleRequest(inspectKeyword);
  expect((await api.call('GET', path, { key })).status).toBe(200);
  expect(await readUsage(key)).toMatchObject({ keyword_inspections: 0, api_requests: 1 });
});

describe('a niche', () => {
  const { path } = toSampleRequest(analyzeNiche);

  const replyOf = (origin: NicheOrigin) => ({ analysis: nicheAnalysis, origin, is_saved: true });
  const fresh = replyOf(NicheOrigin.FRESH);
  const joined = replyOf(NicheOrigin.JOINED);

  /** Waits for the refund of the use that is reserved until the reply. */
  async function untilSpent(key: string, uses: number): Promise<void> {
    await until(async () => (await readUsage(key)).niche_analyses === uses);
  }

  test.each([
    ['cached', NicheOrigin.CACHED, true],
    ['under way', NicheOrigin.JOINED, false],
  ])('whose analysis is %s costs none, and no cap stops it', async (_what, origin, cached) => {
    api.niche.answer({ analyzeNiche: async () => replyOf(origin) });
    for (const plan of ['two', 'none']) {
      const { key } = await api.createKey(plan);
      const answer = await api.call('GET', path, { key });
      expect(answer).toMatchObject({ status: 200, body: { meta: { cached } } });
      expect(await readUsage(key)).toMatchObject({ niche_analyses: 0, api_requests: 1 });
    }
    const mayBegin = api.niche.requests.map(({ request }) => (request as AnalyzeNicheRequest).may_begin);
    expect(mayBegin).toEqual([true, false]);
  });

  test('that three concurrent calls request costs one analysis', async () => {
    const { key } = await api.createKey('one');
    let waiting = 0;
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    api.niche.answer({
      analyzeNiche: async ({ may_begin }) => {
        // No call is answered before all three wait for the analysis.
        if (++waiting === 3) end();
        await ended;
        return may_begin ? fresh : joined;
      },
    });
    const answers = await Promise.all(
      [1, 2, 3].map(() => api.call('GET', path, { key, withoutPause: true })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await readUsage(key)).toMatchObject({ niche_analyses: 1, api_requests: 3 });
  });

  /** Requests the niche, disconnects once the analysis has started, and waits until so many uses are spent. */
  async function callAndLeave(key: string, requestId: string, work: () => typeof fresh, spent: number) {
    api.niche.answer({
      analyzeNiche: async (_request, { onStarted }) => {
        onStarted?.();
        await api.call('GET', '/healthz');
        sent.destroy();
        await untilLogged(requestId, '"route"');
        return work();
      },
    });
    const sent = send(analyzeNiche, key, requestId);
    await untilLogged(requestId, '"route"');
    await untilSpent(key, spent);
  }

  test('that fails after its caller disconnected is refunded', async () => {
    const { key } = await api.createKey('two');
    const fail = () => {
      throw new AppError('ANALYSIS_FAILED', 'This is why.');
    };
    await callAndLeave(key, 'left-failing', fail, 0);
  });

  test('that is refused because the account has too many is 503 with Retry-After, and its request is given back, too', async () => {
    const { key } = await api.createKey('two');
    api.niche.fail(
      'analyzeNiche',
      'SERVICE_UNAVAILABLE',
      'Your account already has 3 niche analyses under way.',
    );
    const { status, headers, body } = await api.call('GET', path, { key });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(body.error).toContain('already has 3 niche analyses');
    expect(await readUsage(key)).toMatchObject({ niche_analyses: 0, api_requests: 0 });
  });

  test('that is dropped because its caller disconnected before it ran is refunded', async () => {
    const { key } = await api.createKey('two');
    api.niche.answer({
      analyzeNiche: (_request, { signal }) => {
        sent.destroy();
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    });
    const sent = send(analyzeNiche, key, 'left-waiting');
    await untilLogged('left-waiting', '"route"');
    await untilSpent(key, 0);
  });

  test('whose caller disconnects and requests it again costs one analysis', async () => {
    const { key } = await api.createKey('two');
    await callAndLeave(key, 'left-own', () => fresh, 1);
    await callAndLeave(key, 'left-joined', () => joined, 1);
    api.niche.answer({ analyzeNiche: async () => joined });
    expect((await api.call('GET', path, { key })).status).toBe(200);
    expect(await readUsage(key)).toMatchObject({ niche_analyses: 1, api_requests: 3 });
  });
});
