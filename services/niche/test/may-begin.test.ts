import { until } from '../../../testing/until.ts';
import { createHarness, type NicheService, within } from './start-niche.ts';

const { startNiche } = createHarness();

const notBegun = { analysis: null, origin: 'NOT_BEGUN', is_saved: false };

/** Advances the clock by a second until the reply is there, each time when what was due is done: a slow database takes no time. */
async function pollUntilReply<Reply>(
  { clock, untilQuiet }: NicheService,
  reply: Promise<Reply>,
): Promise<Reply> {
  let isThere = false;
  const settled = () => (isThere = true);
  reply.then(settled, settled);
  await until(async () => {
    clock.advance(1000);
    await untilQuiet();
    return isThere;
  });
  return reply;
}

test('a call that may not begin an analysis starts none: nothing is read or stored', async () => {
  const { find, list, store, rows } = await startNiche();
  expect(await find()).toEqual(notBegun);
  expect(store.count()).toBe(0);
  expect(await rows('analysis_queues')).toEqual([]);
  expect((await list()).total).toBe(0);
});

test('it gets the cached analysis of another account, which is added to its own history', async () => {
  const { analyze, find, list } = await startNiche();
  const { analysis } = await analyze();
  const found = await find({ account_id: 'ben', topic: 'Habit Tracker' });
  expect(found).toEqual({ analysis, origin: 'CACHED', is_saved: true });
  expect((await list('ben')).total).toBe(1);
});

test('it waits for an analysis that runs in any copy of the service, also when its caller has left', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  const open = one.holdScoring();
  const caller = new AbortController();
  const call = one.analyze({}, within(300_000, caller.signal));
  await one.untilReading();
  caller.abort();
  await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await one.find({ topic: 'camera' })).toEqual(notBegun);
  const sleeping = one.clock.sleeping();
  const replies = Promise.all([one.find(), other.find({ account_id: 'ben' })]);
  // Both wait for their deadline, and the other copy for its next poll.
  await until(() => one.clock.sleeping() === sleeping + 3);
  open();
  for (const reply of await pollUntilReply(one, replies))
    expect(reply).toMatchObject({ origin: 'JOINED', analysis: { topic: 'habit tracker' }, is_saved: true });
  expect(one.store.count('searchApps')).toBe(1);
});

test('it waits for an analysis that waits to run', async () => {
  const service = await startNiche();
  const { analyze, find, server, clock } = service;
  const open = service.holdScoring();
  const calls = ['camera', 'recipes', 'running'].map((topic) => analyze({ topic }));
  const isWaiting = async () => (await server.checks.analyses?.())?.detail.includes('2 wait');
  await until(async () => (await isWaiting()) === true);
  const sleeping = clock.sleeping();
  const found = find({ topic: 'running' });
  await until(() => clock.sleeping() > sleeping);
  open();
  expect((await pollUntilReply(service, found)).origin).toBe('JOINED');
  await Promise.all(calls);
});

test('it gets the failure of the analysis that it waits for; afterwards none is under way', async () => {
  const service = await startNiche();
  const { analyze, find, clock, scoring } = service;
  const open = service.holdScoring();
  scoring.refusal.of = () => 'The App Store blocks us.';
  const call = analyze();
  await until(() => scoring.requestedTerms().length > 0);
  const sleeping = clock.sleeping();
  const found = find();
  await until(() => clock.sleeping() > sleeping);
  open();
  for (const reply of [call, found]) await expect(reply).rejects.toMatchObject({ code: 'ANALYSIS_FAILED' });
  expect(await find()).toEqual(notBegun);
});

test('when the copy with the analysis dies, only a call that may begin one takes over', async () => {
  const service = await startNiche();
  const { find, analyze, clock, store } = service;
  await service.queueDead('habit tracker');
  const found = find();
  await until(() => clock.sleeping() === 2);
  expect(await pollUntilReply(service, found)).toEqual(notBegun);
  expect(store.count()).toBe(0);
  expect((await analyze()).origin).toBe('FRESH');
});

test('a call that may begin an analysis does so even while others only wait for it', async () => {
  const service = await startNiche();
  const { find, analyze, clock } = service;
  await service.queueDead('habit tracker');
  const found = find();
  await until(() => clock.sleeping() === 2);
  const call = analyze();
  await until(() => clock.sleeping() === 4);
  expect((await pollUntilReply(service, call)).origin).toBe('FRESH');
  // It depends on who looks first after the copy is taken for dead.
  expect(['JOINED', 'NOT_BEGUN']).toContain((await pollUntilReply(service, found)).origin);
});
