import { until } from '../../../testing/manual-clock.ts';
import { createHarness, type NicheService, us } from './start-niche.ts';

const { startNiche } = createHarness();

const topic = 'habit tracker';
const key = 'ITUNES:US:en-US:habit tracker';

/**
 * Advances the clock second by second. After each second it waits until all copies that woke up are asleep again, or
 * 300 ms for a copy that does not go back to sleep.
 */
async function pass({ clock }: NicheService, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const waiting = clock.sleeping();
    clock.advance(1000);
    const longEnough = Date.now() + 300;
    while (clock.sleeping() < waiting && Date.now() < longEnough)
      await new Promise((resolve) => setTimeout(resolve, 2));
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

function blockScoring({ scoring }: NicheService): () => void {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  scoring.hooks.beforeAnswer = () => opened;
  return open;
}

const leasesOf = (service: NicheService) =>
  service.connection.collection<{ _id: string; holder: string }>('leases');

test('copies of the service run an analysis only once', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  const open = blockScoring(one);
  const first = one.analyze();
  await until(() => one.scoring.requestedTerms().length > 0);
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

test('a long analysis stays with its copy', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  const open = blockScoring(one);
  const first = one.analyze();
  await until(() => one.scoring.requestedTerms().length > 0);
  const second = await startWaiting(one, () => other.analyze());
  await pass(one, 90);
  expect(one.store.count('searchApps')).toBe(1);
  open();
  await first;
  await pass(one, 2);
  expect((await second.reply).origin).toBe('JOINED');
});

test('the analysis of a copy that died is taken over after half a minute', async () => {
  const service = await startNiche();
  const in30Seconds = new Date(service.clock.at.getTime() + 30_000);
  await leasesOf(service).insertOne({
    _id: key,
    holder: 'dead',
    expires_at: in30Seconds,
    failure: null,
  } as never);
  const call = service.analyze();
  await until(() => service.clock.sleeping() > 1);
  await pass(service, 28);
  expect(service.store.count()).toBe(0);
  await pass(service, 4);
  expect((await call).origin).toBe('FRESH');
});

test('a failure is reported to callers that wait in another copy, without a retry', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  const open = blockScoring(one);
  one.scoring.refusal.of = () => 'The App Store blocks us.';
  const first = one.analyze();
  await until(() => one.scoring.requestedTerms().length > 0);
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

test('a copy whose lease was taken over aborts its analysis and waits for the other copy', async () => {
  const service = await startNiche();
  blockScoring(service);
  const call = service.analyze();
  await until(() => service.scoring.requestedTerms().length > 0);
  await leasesOf(service).updateOne({ _id: key }, { $set: { holder: 'other' } });
  await pass(service, 10);
  expect(service.lines.some(({ msg }) => msg === 'niche analysis aborted')).toBe(true);
  await leasesOf(service).deleteOne({ _id: key });
  service.scoring.hooks.beforeAnswer = async () => {};
  service.store.forget();
  await pass(service, 3);
  expect((await call).analysis).toMatchObject({ topic, storefront: us });
});

test('when a copy stops, another copy starts its analysis immediately', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  blockScoring(one);
  const first = one.analyze();
  first.catch(() => {});
  await until(() => one.scoring.requestedTerms().length > 0);
  const second = await startWaiting(one, () => other.analyze());
  await pass(one, 2);
  one.server.announceDraining();
  await expect(first).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await until(async () => (await one.rows('leases')).length === 0);
  one.scoring.hooks.beforeAnswer = async () => {};
  one.store.forget();
  await pass(one, 2);
  expect((await second.reply).origin).toBe('FRESH');
});

test('with two copies one analysis of an account runs and two wait; a fourth is refused by both', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  const copies = [one, other];
  const open = blockScoring(one);
  const calls: ReturnType<typeof one.analyze>[] = [];
  const start = async (copy: NicheService, topic: string, detail: string, accountId = 'ann') => {
    calls.push(copy.analyze({ topic, account_id: accountId }));
    await until(async () => (await copy.server.checks.analyses?.())?.detail === detail);
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
  const all = Promise.all(calls);
  let isDone = false;
  void all.finally(() => (isDone = true));
  await until(async () => {
    await pass(one, 1);
    return isDone;
  });
  expect((await all).map(({ origin }) => origin)).toEqual(calls.map(() => 'FRESH'));
  const [{ entries } = {}] = (await one.rows('analysis_queues')) as { entries?: unknown[] }[];
  expect(entries).toEqual([]);
});
