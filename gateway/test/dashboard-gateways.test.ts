import { randomUUID } from 'node:crypto';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { connectRedis, type RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import { parseRedisUrl, type RedisAddress } from '@shelfwise/runtime/redis/redis-url';
import { describeWithEngine } from '../../testing/engines.ts';
import { type BootedGateway, bootGateway } from './harness/boot-gateway.ts';
import { type Browser, codeOf, openBrowser } from './harness/browser.ts';
import { createRecordingLogger } from './harness/recording-logger.ts';
import { createSender } from './harness/send-request.ts';

const sender = createSender();
afterAll(() => sender.close());

function testGateways(redisUrl: string | null): void {
  const connections: RedisConnection[] = [];
  let gateways: [BootedGateway, BootedGateway];
  let at = new Date('2026-06-15T12:00:00Z');
  const now = () => at;

  async function connect(prefix: string): Promise<RedisConnection | undefined> {
    if (redisUrl === null) return undefined;
    const address = parseRedisUrl(redisUrl) as RedisAddress;
    const { logger } = createRecordingLogger();
    const redis = await connectRedis({ address, prefix, logger, metrics: createMetrics(), answerMs: 5000 });
    connections.push(redis);
    return redis;
  }

  beforeAll(async () => {
    const prefix = `test-${randomUUID()}`;
    const one = await bootGateway({ isDatabaseEmbedded: false, redis: await connect(prefix), now });
    const { connection } = one;
    gateways = [
      one,
      await bootGateway({ isDatabaseEmbedded: false, redis: await connect(prefix), connection, now }),
    ];
  });
  afterAll(async () => {
    for (const gateway of [...gateways].reverse()) await gateway.stop();
    for (const redis of connections) redis.close();
  });

  const createAccount = () =>
    gateways[0].gateway.accounts.create({ email: `${randomUUID()}@example.com`, plan: 'unlimited' });
  /** The same browser, with one gateway and with the other. */
  function openBoth(): [Browser, Browser] {
    const [first, second] = gateways.map(({ url }) =>
      openBrowser({
        async call(method, path, { headers = {}, body } = {}) {
          const json = body === undefined ? null : JSON.stringify(body);
          const type: Record<string, string> = json === null ? {} : { 'content-type': 'application/json' };
          const sent = { method, headers: { ...headers, ...type }, body: json };
          const { text, ...answer } = await sender.send(`${url}${path}`, sent);
          return { ...answer, body: JSON.parse(text) };
        },
      }),
    ) as [Browser, Browser];
    return [first, second];
  }
  async function signInToBoth(key: string): Promise<[Browser, Browser]> {
    const [one, other] = openBoth();
    expect((await one.signInByKey(key)).status).toBe(200);
    other.cookie = one.cookie;
    expect((await other.send('GET', '/sessions')).status).toBe(200);
    return [one, other];
  }

  test.each([
    ['its sign-out', (_: string, browser: Browser) => browser.send('DELETE', '/session')],
    ['a new key', (id: string) => gateways[0].gateway.accounts.regenerateKey({ id })],
    ['another plan', (id: string) => gateways[0].gateway.accounts.changePlan({ id, plan: 'free' })],
    ['the deletion of its account', (id: string) => gateways[0].gateway.accounts.delete({ id })],
  ])('%s at one gateway ends a session at the other at once', async (_, change) => {
    const { id, key } = await createAccount();
    const [one, other] = await signInToBoth(key);
    await change(id, one);
    expect((await other.send('GET', '/sessions')).status).toBe(401);
  });

  test('the session that replaces the key stays at both', async () => {
    const { key } = await createAccount();
    const [one, other] = await signInToBoth(key);
    const [, stolen] = await signInToBoth(key);
    expect((await one.send('POST', '/key', { body: { key_prefix: key.slice(0, 12) } })).status).toBe(200);
    expect((await other.send('GET', '/sessions')).status).toBe(200);
    expect((await stolen.send('GET', '/sessions')).status).toBe(401);
  });

  test('a use after an hour of absence is a new visit, and both know when the one before ended', async () => {
    const { id, key } = await createAccount();
    const [one, other] = await signInToBoth(key);
    const visitOf = async ({ gateway }: BootedGateway) => (await gateway.accounts.read({ id }))?.dashboard;
    const useAfter = async (minutes: number) => {
      at = new Date(at.getTime() + minutes * 60_000);
      for (const { status } of await Promise.all([
        one.send('GET', '/sessions'),
        other.send('GET', '/sessions'),
      ]))
        expect(status).toBe(200);
    };
    await useAfter(59);
    expect(await visitOf(gateways[1])).toEqual({ seenAt: at, lastVisitEndedAt: null, hasShortcuts: true });
    const ended = at;
    await useAfter(60);
    await useAfter(5);
    for (const gateway of gateways)
      expect(await visitOf(gateway)).toEqual({ seenAt: at, lastVisitEndedAt: ended, hasShortcuts: true });
  });

  test('shortcuts that one switches off are off at the other, until they are on again', async () => {
    const { id, key } = await createAccount();
    const [one, other] = await signInToBoth(key);
    const areOn = async () => (await gateways[1].gateway.accounts.read({ id }))?.dashboard.hasShortcuts;
    expect((await one.send('PUT', '/shortcuts', { body: { has_shortcuts: false } })).status).toBe(200);
    expect(await areOn()).toBe(false);
    expect((await other.send('PUT', '/shortcuts', { body: { has_shortcuts: 'no' } })).status).toBe(400);
    expect((await other.send('PUT', '/shortcuts', { body: { has_shortcuts: true } })).status).toBe(200);
    expect(await areOn()).toBe(true);
  });

  test('a link that one has made signs in once, at one of both', async () => {
    const { id } = await createAccount();
    const link = await gateways[0].gateway.signInLinks?.create({ id });
    if (!link) throw new Error('there is no dashboard');
    const browsers = openBoth();
    const answers = await Promise.all(browsers.map((browser) => browser.signInByCode(codeOf(link))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });
}

describe('two gateways on one database', () => testGateways(null));
describeWithEngine('REDIS_URL', 'two gateways on one database and one Redis', testGateways);
