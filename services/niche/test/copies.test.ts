import { until } from '../../../testing/until.ts';
import type { QueueEntry } from '../src/domain/analysis-queue.ts';
import { createHarness, type NicheService, us } from './start-niche.ts';

const { startNiche } = createHarness();

const topic = 'habit tracker';

/** Advances the clock second by second. After each second it waits until all copies that woke up have done what was due. */
async function pass({ clock, untilQuiet }: NicheService, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    clock.advance(1000);
    await untilQuiet();
  }
}

/** Starts a call that waits for another copy. Returns once two timers run: the caller's deadline and the next poll. */
async function startWaiting<Reply>(
  { clock }: NicheService,
  start: () => Promise<Reply>,
): Promise<{ reply: Promise<Reply> }> {
  const before = clock.sleeping();
  const reply = start();
  reply.catch(() => {});
  await until(() => clock.sleeping() >= before + 2);
  return { reply };
}

/** Lets time pass until all calls have their replies. */
async function passUntilSettled<Reply>(service: NicheService, calls: Promise<Reply>[]): Promise<Reply[]> {
  const all = Promise.all(calls);
  let isSettled = false;
  const settled = () => (isSettled = true);
  all.then(settled, settled);
  await until(async () => {
    await pass(service, 1);
    return isSettled;
  });
  return all;
}

const queueOf = ({ connection }: NicheService) =>
  connection.collection<{ _id: string; version: number; entries: QueueEntry[] }>('analysis_queues');

test('copies of the service run an analysis only once', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  const open = one.holdScoring();
  const first = one.analyze();
  await one.untilReading();
  const second = await startWaiting(one, () => other.analyze({ account_id: 'ben' }));
  await pass(one, 3);
  open();
  const { origin, analysis } = await first;
  await until(() => one.clock.sleeping() > 0);
  await pass(one, 2);
  expect(origin).toBe('FRESH');
  expect(await second.reply).toEqual({ analysis, origin: 'JOINED', is_saved: true });
  expect(one.store.count('searchApps')).toBe(1);
});

test('a failure is reported to callers that wait in another copy, without a retry', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  const open = one.holdScoring();
  one.scoring.refusal.of = () => 'The App Store blocks us.';
  const first = one.analyze();
  await one.untilReading();
  const second = await startWaiting(one, () => other.analyze());
  await pass(one, 2);
  open();
  await expect(first).rejects.toMatchObject({ code: 'ANALYSIS_FAILED' });
  await pass(one, 2);
  await expect(second.reply).rejects.toMatchObject({
    code: 'ANALYSIS_FAILED',
    message: expect.stringContaining('The App Store blocks us.'),
  });
  expect(one.store.count('searchApps')).toBe(1);
});

test('an earlier failure is not reported to later callers', async () => {
  const service = await startNiche();
  service.store.fail('searchApps');
  service.store.fail('suggestTerms');
  await expect(service.analyze()).rejects.toMatchObject({ code: 'ANALYSIS_FAILED' });
  service.store.recover('searchApps');
  service.store.recover('suggestTerms');
  expect((await service.analyze()).origin).toBe('FRESH');
});

test('a copy whose queue entry was taken over aborts its analysis and waits for the other copy', async () => {
  const service = await startNiche();
  service.holdScoring();
  const call = service.analyze();
  await service.untilReading();
  const [{ entries = [] } = {}] = await queueOf(service).find({}).toArray();
  const taken = entries.map((entry) => ({ ...entry, id: 'taken over', holder: 'other' }));
  const setEntries = (stored: QueueEntry[]) =>
    queueOf(service).updateOne({ _id: 'ITUNES' }, { $set: { entries: stored }, $inc: { version: 1 } });
  await setEntries(taken);
  await pass(service, 10);
  expect(service.lines.some(({ msg }) => msg === 'niche analysis aborted')).toBe(true);
  await setEntries([]);
  service.scoring.hooks.beforeAnswer = async () => {};
  service.store.forget();
  await pass(service, 3);
  expect((await call).analysis).toMatchObject({ topic, storefront: us });
});

test('when a copy stops, another copy starts its analysis immediately', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  one.holdScoring();
  const first = one.analyze();
  first.catch(() => {});
  await one.untilReading();
  const second = await startWaiting(one, () => other.analyze());
  await pass(one, 2);
  one.server.announceDraining();
  await expect(first).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await until(async () => (await queueOf(one).findOne({}))?.entries.length === 0);
  one.scoring.hooks.beforeAnswer = async () => {};
  one.store.forget();
  await pass(one, 2);
  expect((await second.reply).origin).toBe('FRESH');
});

test('with two copies one analysis of an account runs and two wait; a fourth is refused by both', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  const copies = [one, other];
  const open = one.holdScoring();
  const calls: ReturnType<typeof one.analyze>[] = [];
  const start = async (copy: NicheService, topic: string, detail: string, accountId = 'ann') => {
    calls.push(copy.analyze({ topic, account_id: accountId }));
    await copy.untilStatus(detail);
  };
  await start(one, 'camera', '1 running, 0 waiting');
  await start(other, 'recipes', '0 running, 1 waiting');
  await start(one, 'running', '1 running, 1 waiting');
  for (const { analyze } of copies)
    await expect(analyze({ topic: 'one more' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('Your account already has 3 niche analyses of this store under way'),
    });
  // Two of a store run, whichever copy has them.
  await start(other, 'guitar', '1 running, 1 waiting', 'ben');
  await start(one, 'piano', '1 running, 2 waiting', 'cat');
  open();
  expect((await passUntilSettled(one, calls)).map(({ origin }) => origin)).toEqual(calls.map(() => 'FRESH'));
  const [{ entries } = {}] = (await one.rows('analysis_queues')) as { entries?: unknown[] }[];
  expect(entries).toEqual([]);
});

describe.each([
  ['an hour ahead', 60 * 60_000],
  ['an hour behind', -60 * 60_000],
])('with another copy whose clock is %s', (_, aheadMs) => {
  test('no copy aborts the analysis of the other, and the limits hold', async () => {
    const one = await startNiche();
    const other = await startNiche({ copyOf: one, aheadMs });
    const open = one.holdScoring();
    const calls = [one.analyze()];
    await one.untilReading();
    calls.push((await startWaiting(one, () => other.analyze())).reply);
    calls.push(other.analyze({ account_id: 'ben', topic: 'guitar' }));
    await other.untilStatus('1 running, 0 waiting');
    for (const [copy, accountId] of [
      [one, 'cat'],
      [other, 'dan'],
    ] as const) {
      calls.push(copy.analyze({ account_id: accountId, topic: `topic of ${accountId}` }));
      await copy.untilStatus('1 running, 1 waiting');
    }
    await pass(one, 90);
    for (const { server, lines } of [one, other]) {
      expect(await server.checks.analyses?.()).toMatchObject({ detail: '1 running, 1 waiting' });
      expect(lines.filter(({ msg }) => msg === 'niche analysis aborted')).toEqual([]);
    }
    expect(one.store.count('searchApps')).toBe(2);
    open();
    const replies = await passUntilSettled(one, calls);
    expect(replies.map(({ origin }) => origin)).toEqual(['FRESH', 'JOINED', 'FRESH', 'FRESH', 'FRESH']);
    expect(one.store.count('searchApps')).toBe(4);
  });

  test('the entry and the niche of a copy that died are free after half a minute, not before', async () => {
    const one = await startNiche();
    await one.queueDead(topic);
    const other = await startNiche({ copyOf: one, aheadMs });
    const calls = [other.analyze(), other.analyze({ account_id: 'dan', topic: 'guitar' })];
    await until(() => one.clock.sleeping() >= 4);
    await pass(one, 28);
    expect(one.store.count()).toBe(0);
    expect((await passUntilSettled(one, calls)).map(({ origin }) => origin)).toEqual(['FRESH', 'FRESH']);
  });
});

test.each([60 * 60_000, -60 * 60_000])(
  'a clock that is set by %d ms while analyses run disturbs none',
  async (setByMs) => {
    const one = await startNiche();
    const other = await startNiche({ copyOf: one });
    const open = one.holdScoring();
    const calls = [one.analyze(), other.analyze({ account_id: 'ben', topic: 'guitar' })];
    await one.untilStatus('1 running, 0 waiting');
    await other.untilStatus('1 running, 0 waiting');
    calls.push((await startWaiting(one, () => other.analyze())).reply);
    await pass(one, 10);
    one.clock.setBy(setByMs);
    await pass(one, 60);
    expect(one.store.count('searchApps')).toBe(2);
    open();
    const replies = await passUntilSettled(one, calls);
    expect(replies.map(({ origin }) => origin)).toEqual(['FRESH', 'FRESH', 'JOINED']);
    expect([...one.lines, ...other.lines].filter(({ msg }) => msg === 'niche analysis aborted')).toEqual([]);
  },
);
