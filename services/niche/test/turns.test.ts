import { until } from '../../../testing/until.ts';
import { createHarness, type NicheService, within } from './start-niche.ts';

const { startNiche } = createHarness();

/** The topics whose analyses have started, in order. */
const startedTopics = ({ store }: NicheService) =>
  store.calls.filter(({ rpc }) => rpc === 'searchApps').map(({ text }) => text);

test('one analysis of an account runs and two wait; a fourth is refused, and another account is served at once', async () => {
  const service = await startNiche();
  const { analyze } = service;
  const open = service.holdStore();
  const calls = ['camera', 'recipes', 'running'].map((topic) => analyze({ topic }));
  await service.untilStatus('1 running, 2 waiting');
  await expect(analyze({ topic: 'one more' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('Your account already has 3 niche analyses of this store under way'),
  });
  const otherStore = { store: 'GPLAY', country: 'US', lang: 'en' } as const;
  calls.push(analyze({ topic: 'camera', storefront: otherStore }));
  calls.push(analyze({ topic: 'guitar', account_id: 'ben' }));
  await until(() => startedTopics(service).includes('guitar'));
  open();
  for (const { origin } of await Promise.all(calls)) expect(origin).toBe('FRESH');
});

test('the two waiting analyses of an account delay that of another by one of them at most', async () => {
  const service = await startNiche();
  const { analyze } = service;
  const open = service.holdStore();
  const calls = [analyze({ topic: 'first' }), analyze({ topic: 'second', account_id: 'ben' })];
  await service.untilStatus('2 running, 0 waiting');
  for (const topic of ['third', 'fourth']) calls.push(analyze({ topic }));
  await service.untilStatus('2 running, 2 waiting');
  calls.push(analyze({ topic: 'guitar', account_id: 'cat' }));
  await service.untilStatus('2 running, 3 waiting');
  open();
  await Promise.all(calls);
  expect(startedTopics(service).at(-1)).not.toBe('guitar');
});

test('a waiting analysis is dropped when its last caller leaves: it reads nothing and leaves the queue', async () => {
  const service = await startNiche();
  const { analyze } = service;
  const open = service.holdStore();
  const running = analyze({ topic: 'first' });
  await service.untilStatus('1 running, 0 waiting');
  const leaving = new AbortController();
  const left = ['second', 'third'].map((topic) => analyze({ topic }, within(300_000, leaving.signal)));
  await service.untilStatus('1 running, 2 waiting');
  leaving.abort();
  for (const call of left) await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await service.untilStatus('1 running, 0 waiting');
  const next = ['fourth', 'fifth'].map((topic) => analyze({ topic }));
  await service.untilStatus('1 running, 2 waiting');
  open();
  await Promise.all([running, ...next]);
  expect(startedTopics(service).sort()).toEqual(['fifth', 'first', 'fourth']);
});

test('an analysis that waits until the call of its last caller ends is dropped, and the caller learns that it did not run', async () => {
  const service = await startNiche();
  const { analyze, clock } = service;
  const open = service.holdStore();
  const running = analyze({ topic: 'first' });
  await service.untilStatus('1 running, 0 waiting');
  const late = analyze({ topic: 'second' }, within(20_000));
  await service.untilStatus('1 running, 1 waiting');
  clock.advance(19_000);
  await expect(late).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('waited for its turn'),
  });
  await service.untilStatus('1 running, 0 waiting');
  open();
  await running;
  expect(startedTopics(service)).toEqual(['first']);
});

test('when the account that requested a waiting analysis leaves, it runs for the one that joined, in its turn', async () => {
  const service = await startNiche();
  const { analyze, store, clock } = service;
  const open = service.holdStore();
  const busy = [analyze({ topic: 'first' }), analyze({ topic: 'second', account_id: 'ben' })];
  await service.untilStatus('2 running, 0 waiting');
  const leaving = new AbortController();
  const left = analyze({ topic: 'third' }, within(300_000, leaving.signal));
  await service.untilStatus('2 running, 1 waiting');
  const sleeping = clock.sleeping();
  const joined = analyze({ topic: 'third', account_id: 'cat' });
  await until(() => clock.sleeping() > sleeping);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  open();
  await Promise.all(busy);
  expect((await joined).origin).toBe('FRESH');
  const reader = store.calls.find(({ text }) => text === 'third')?.call.callerId;
  expect(reader).toBe('cat');
});

test('an analysis that two accounts wait for starts in the turn of the one that has none running', async () => {
  const service = await startNiche();
  const { analyze, store } = service;
  const open = service.holdStore();
  const first = analyze({ topic: 'first' });
  await service.untilStatus('1 running, 0 waiting');
  const own = analyze({ topic: 'second' });
  await service.untilStatus('1 running, 1 waiting');
  const joined = analyze({ topic: 'second', account_id: 'ben' });
  await until(() => startedTopics(service).includes('second'));
  open();
  expect([(await own).origin, (await joined).origin]).toEqual(['JOINED', 'FRESH']);
  expect(store.calls.find(({ text }) => text === 'second')?.call.callerId).toBe('ben');
  await first;
});

test('callers learn when the analysis that they wait for starts, and those that join it later at once', async () => {
  const service = await startNiche();
  const { analyze } = service;
  const open = service.holdStore();
  const started: string[] = [];
  const calling = (name: string) => ({ ...within(), onStarted: () => void started.push(name) });
  const first = analyze({ topic: 'first' }, calling('first'));
  await until(() => started.length === 1);
  const waiting = analyze({ topic: 'second' }, calling('second'));
  await service.untilStatus('1 running, 1 waiting');
  const joined = analyze({ topic: 'first', account_id: 'ben' }, calling('joined'));
  await until(() => started.length === 2);
  expect(started).toEqual(['first', 'joined']);
  open();
  await Promise.all([first, waiting, joined]);
  expect(started).toEqual(['first', 'joined', 'second']);
});

test('a call that may not begin an analysis does not keep a waiting one waiting', async () => {
  const service = await startNiche();
  const { analyze, find, clock } = service;
  const open = service.holdStore();
  const running = analyze({ topic: 'first' });
  await service.untilStatus('1 running, 0 waiting');
  const leaving = new AbortController();
  const left = analyze({ topic: 'second' }, within(300_000, leaving.signal));
  await service.untilStatus('1 running, 1 waiting');
  const sleeping = clock.sleeping();
  let isFound = false;
  const found = find({ topic: 'second', account_id: 'ben' }).finally(() => (isFound = true));
  await until(() => clock.sleeping() > sleeping);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await until(async () => {
    clock.advance(1000);
    await service.untilQuiet();
    return isFound;
  });
  expect((await found).origin).toBe('NOT_BEGUN');
  open();
  await running;
});

test('an analysis that waits in one copy and is dropped there runs in the copy where a caller remains', async () => {
  const one = await startNiche();
  const other = await startNiche({ copyOf: one });
  const open = one.holdStore();
  const running = one.analyze({ topic: 'first' });
  await one.untilStatus('1 running, 0 waiting');
  const leaving = new AbortController();
  const left = one.analyze({ topic: 'second' }, within(300_000, leaving.signal));
  await one.untilStatus('1 running, 1 waiting');
  const sleeping = one.clock.sleeping();
  const remaining = other.analyze({ topic: 'second', account_id: 'ben' });
  await until(() => one.clock.sleeping() >= sleeping + 2);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await until(async () => {
    one.clock.advance(1000);
    await one.untilQuiet();
    return startedTopics(one).includes('second');
  });
  open();
  expect((await remaining).origin).toBe('FRESH');
  await running;
});
