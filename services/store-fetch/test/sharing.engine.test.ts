import { randomUUID } from 'node:crypto';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectRedis, type RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import { callWithin } from '../../../testing/call-within.ts';
import { describeWithEngine } from '../../../testing/engines.ts';
import { type FaultProxy, startFaultProxy } from '../../../testing/fault-proxy.ts';
import { until } from '../../../testing/until.ts';
import { urgent } from '../src/budget/urgency.ts';
import type { StoreSource } from '../src/source.ts';
import { answerAppStore } from './fake-store/app-store-pages.ts';
import type { AnswerFakeCall } from './fake-store/start-fake-store.ts';
import { useFakeStore } from './use-fake-store.ts';
import { requests, useService } from './use-service.ts';

describeWithEngine('REDIS_URL', 'two copies of the service', (url) => {
  const { connect, openLiveSource } = useService();
  const closing: (() => unknown)[] = [];
  const address = parseRedisUrl(url) as RedisAddress;
  const fake = useFakeStore({ answerOf: (call) => answerEveryTerm(call) });
  let proxy: FaultProxy;
  /** Not behind the proxy: sees what the copies have stored. */
  let observer: RedisConnection;
  let prefix: string;
  /** Redis and the copies agree about the time, which a test moves. */
  let at: Date;
  const now = () => at;
  const advance = (ms: number) => {
    at = new Date(at.getTime() + ms);
  };

  beforeEach(async () => {
    at = new Date();
    prefix = `test-${randomUUID()}`;
    proxy = await startFaultProxy(address.nodes[0] as { host: string; port: number });
    observer = await openRedis(address);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    for (const key of await keys()) await observer.run(key, (client) => client.del(key));
    observer.close();
    await proxy.stop();
  });

  // A way out: on a busy machine the usual limit passes although Redis is there.
  const openRedis = (to: RedisAddress, answerMs = 60_000) =>
    connectRedis({
      address: to,
      prefix,
      logger: createLogger({ name: 'test', level: 'silent', destination: process.stdout }),
      metrics: createMetrics(),
      answerMs,
    });

  async function keys(): Promise<string[]> {
    const found = await observer.run('keys', (client) => client.keys(`${prefix}:*`));
    return found.map((key) => key.slice(prefix.length + 1));
  }
  const answerCount = async () => (await keys()).filter((key) => key.includes('answers')).length;

  async function startCopy(options: { itunesPerMinute?: number; answerMs?: number } = {}) {
    const nodes = [{ host: '127.0.0.1', port: proxy.port }];
    const redis = await openRedis({ ...address, nodes }, options.answerMs);
    const live = await openLiveSource(fake.url, { redis: withClock(redis), now, ...options });
    closing.push(() => redis.close());
    return { ...live, redis };
  }
  async function startCopies(options: { itunesPerMinute?: number; answerMs?: number } = {}) {
    return [await startCopy(options), await startCopy(options)] as const;
  }

  /** Scripts answer with the time of `now`. */
  const withClock = (redis: RedisConnection): RedisConnection => ({
    ...redis,
    defineScript(script) {
      const run = redis.defineScript(script);
      return async (...args) => {
        const [, , ...rest] = (await run(...args)) as unknown[];
        return [Math.floor(now().getTime() / 1000), (now().getTime() % 1000) * 1000, ...rest];
      };
    },
  });

  async function killRedis() {
    proxy.faults.isRefusing = true;
    proxy.resetAll();
  }
  async function reviveRedis(...copies: readonly { redis: RedisConnection }[]) {
    proxy.faults.isRefusing = false;
    await until(() => copies.every(({ redis }) => redis.isAvailable()));
  }
  type Copy = Awaited<ReturnType<typeof startCopy>>;
  const detailOf = async ({ checks }: Copy) => (await checks['App Store']?.())?.detail ?? '';
  const isOpen = async (copy: Copy) => (await detailOf(copy)).includes(' is not called ');
  const isProbed = async (copy: Copy) => (await detailOf(copy)).includes(' while one call probes it');
  /** Searches that wait for a slot. */
  async function queuedCalls({ metrics }: Copy): Promise<number> {
    const { values } = (await metrics.registry.getSingleMetric('shelfwise_store_queued_calls')?.get()) ?? {
      values: [],
    };
    return values.reduce((sum, { labels, value }) => (labels.budget === 'itunes' ? sum + value : sum), 0);
  }
  const countSearches = () => fake.calls().filter(({ path }) => path === '/search').length;
  /** Store calls while `work` runs. */
  async function countCalls(work: () => Promise<unknown>): Promise<number> {
    const before = fake.calls().length;
    await work();
    return fake.calls().length - before;
  }

  test('the second copy answers from what the first one has read, with the same answers and without a store call', async () => {
    const [a, b] = await startCopies();
    const [one, two] = [await connect(a.source), await connect(b.source)];
    const ask = async ({ client }: typeof one) => [
      await client.searchApps({ ...requests.searchApps, term: 'notes' }, callWithin()),
      await client.getListing({ ...requests.getListing, app_id: '700000001' }, callWithin()),
      await client.getListings(
        { ...requests.getListings, app_ids: ['700000002', '700000003'] },
        callWithin(),
      ),
      await client.getChart(requests.getChart, callWithin()),
      await client.suggestTerms({ ...requests.suggestTerms, prefix: 'no' }, callWithin()),
    ];
    const answers = await ask(one);
    // The listings also under their bundle ids.
    await until(async () => (await answerCount()) >= 9);
    expect(await countCalls(async () => expect(await ask(two)).toEqual(answers))).toBe(0);
    expect(await countCalls(() => b.source.search(us, 'music', searchOptions()))).toBe(1);
  });

  test('a listing without its subtitle, and one that is too old, are not enough; the others of a list are', async () => {
    const [a, b] = await startCopies();
    await a.source.getListings(us, ['700000001', '700000002'], listOptions());
    await until(async () => (await answerCount()) >= 4);
    advance(1);
    const freshSince = now();
    const [whole, aged] = [['700000001', '700000002', '700000003'], ['700000001']];
    expect(await countCalls(() => b.source.getListings(us, whole, listOptions()))).toBe(1);
    expect(fake.calls().at(-1)?.query.id).toBe('700000003');
    expect(await countCalls(() => b.source.getListings(us, aged, { ...listOptions(), freshSince }))).toBe(1);
    expect(
      await countCalls(() =>
        b.source.getListing(us, '700000002', { ...searchOptions(), withSubtitle: true }),
      ),
    ).toBeGreaterThan(0);
  });

  test('what a copy stored in another shape is read from the store', async () => {
    const [a, b] = await startCopies();
    await a.source.search(us, 'notes', searchOptions());
    await until(async () => (await answerCount()) === 1);
    const [key = ''] = (await keys()).filter((each) => each.includes('answers'));
    await observer.run(key, (client) => client.set(key, 'not compressed', 'PX', 60_000));
    expect(await countCalls(() => b.source.search(us, 'notes', searchOptions()))).toBe(1);
  });

  test('a breaker that one copy opens stops the other, which has made no call', async () => {
    const [a, b] = await startCopies();
    fake.setFault('blocked');
    for (const term of ['one', 'two'])
      await expect(search(a.source, term)).rejects.toThrow('refused the call');
    await until(() => isOpen(b));
    const calls = await countCalls(() =>
      expect(search(b.source, 'three')).rejects.toMatchObject({ cause: { kind: 'circuit_open' } }),
    );
    expect(calls).toBe(0);
  });

  test('both copies together make one probe, and its success lets both call again', async () => {
    const [a, b] = await startCopies();
    const earlier = countSearches();
    fake.setFault('blocked');
    for (const term of ['one', 'two']) await expect(search(a.source, term)).rejects.toThrow();
    // Its first probe was made, too.
    await until(() => countSearches() === earlier + 2);
    await until(async () => (await isOpen(b)) && !(await isProbed(b)));
    // The longest time that a breaker stays open.
    advance(60_000);
    fake.setFault('blocked', { isHeld: true });
    const probes = await countCalls(async () => {
      const asked = [search(a.source, 'three'), search(b.source, 'four')];
      const refused = asked.map((answer) => expect(answer).rejects.toThrow());
      // Both wait for its outcome.
      await until(async () => (await isProbed(a)) && (await isProbed(b)));
      fake.release();
      await Promise.all(refused);
    });
    expect(probes).toBe(1);
    fake.setFault('ok');
    advance(60_000);
    await Promise.allSettled([search(a.source, 'five')]);
    // Until the other copy has seen it, its searches are preceded by a probe.
    await until(async () => (await countCalls(() => search(b.source, randomUUID()))) === 1);
  });

  test('a question that keeps failing in one copy is not asked by the other', async () => {
    const [a, b] = await startCopies();
    fake.setFault('wrong-shape', { only: '/search?term=notes&' });
    await expect(search(a.source, 'notes')).rejects.toThrow();
    await until(async () => (await answerCount()) === 1);
    const calls = await countCalls(() =>
      expect(search(b.source, 'notes')).rejects.toThrow('is not called for this again until'),
    );
    expect(calls).toBe(0);
  });

  test('while Redis is away each copy goes on alone, and shares again when it is back', async () => {
    const [a, b] = await startCopies();
    await search(a.source, 'before');
    await killRedis();
    expect(await countCalls(() => search(b.source, 'before'))).toBe(1);
    expect(await b.checks['store sharing']?.()).toMatchObject({
      state: 'DEGRADED',
      detail: expect.stringContaining('per copy'),
    });
    fake.setFault('blocked', { only: '/search' });
    for (const term of ['one', 'two']) await expect(search(a.source, term)).rejects.toThrow();
    expect([await isOpen(a), await isOpen(b)]).toEqual([true, false]);
    await reviveRedis(a, b);
    await until(() => isOpen(b));
    expect(await b.checks['store sharing']?.()).toMatchObject({ state: 'OK' });
    fake.setFault('ok');
    await b.source.chart(us, { category: 'OVERALL', collection: 'free', limit: 10 }, readOptions());
    await until(async () => (await answerCount()) >= 1);
  });

  test('a frozen Redis delays an answer by its time limit only', async () => {
    const [a] = await startCopies({ answerMs: 100 });
    proxy.faults.isFrozen = true;
    await search(a.source, 'notes');
    // It has not answered yet.
    expect(proxy.faults.isFrozen).toBe(true);
    proxy.thaw();
  });

  test.each([
    ['with Redis', async () => {}, async () => {}],
    ['without Redis', killRedis, async () => {}],
    ['when Redis dies in between', async () => {}, killRedis],
  ])('both copies together make the calls of one budget: %s', async (_name, before, between) => {
    const [a, b] = await startCopies({ itunesPerMinute: 6 });
    await before();
    const leaving = new AbortController();
    const earlier = countSearches();
    const ask = (count: number) =>
      [a, b].flatMap(({ source }, copy) =>
        Array.from({ length: count }, () =>
          search(source, `${copy} ${randomUUID()}`, leaving.signal).catch(() => {}),
        ),
      );
    await Promise.all(ask(1));
    await between();
    const asked = ask(6);
    await until(async () => (await queuedCalls(a)) + (await queuedCalls(b)) === 8);
    await until(() => countSearches() >= earlier + 6);
    // A further search would be made before these calls, which have another budget.
    const others = [a, b].map(({ source }) => source.suggest(us, 'no', readOptions()));
    for (const { terms } of await Promise.all(others)) expect(terms).not.toBeNull();
    expect(countSearches()).toBe(earlier + 6);
    leaving.abort(new Error('enough'));
    await Promise.all(asked);
  });
});

/** Every term has the same results. */
const answerEveryTerm: AnswerFakeCall = ({ url, headers }) => {
  const address = new URL(url);
  if (url.pathname === '/search') address.searchParams.set('term', 'notes');
  return answerAppStore(address, headers['x-apple-store-front']?.toString());
};
const us: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const readOptions = (signal = new AbortController().signal) => ({ signal, urgency: urgent });
const searchOptions = (signal?: AbortSignal) => ({ ...readOptions(signal), limit: 10, onDay: null });
const listOptions = () => ({ ...readOptions(), withSubtitle: false, freshSince: null });
const search = (source: StoreSource, term: string, signal?: AbortSignal) =>
  source.search(us, term, searchOptions(signal));
