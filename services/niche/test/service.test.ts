import { until } from '../../../testing/until.ts';
import { createHarness } from './start-niche.ts';

const { startNiche } = createHarness();

const dayMs = 24 * 60 * 60_000;
const never = () => new Promise<void>(() => {});

test('a stop reports to waiting callers immediately, ends soon and stores nothing incomplete', async () => {
  const { analyze, scoring, stop, rows } = await startNiche({ isRemote: true });
  scoring.hooks.beforeAnswer = never;
  const calls = [analyze(), analyze({ account_id: 'ben' }), analyze({ account_id: 'cat', topic: 'camera' })];
  const refused = Promise.all(
    // A stop that waits for them in vain cuts them off, with another message.
    calls.map((call) =>
      expect(call).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: 'The service is stopping. Try again.',
      }),
    ),
  );
  await until(() => scoring.requestedTerms().length > 1);
  await stop();
  await refused;
  expect([await rows('analyses'), await rows('niche_history')]).toEqual([[], []]);
});

test('while the service drains, new analyses are refused and cached ones are served', async () => {
  const { analyze, find, list, server } = await startNiche();
  await analyze();
  server.announceDraining();
  await expect(analyze({ topic: 'camera' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The service is stopping. Try again.',
  });
  expect((await analyze()).origin).toBe('CACHED');
  expect((await find()).analysis).not.toBeNull();
  expect((await list()).total).toBe(1);
});

test('the health page shows how many analyses run', async () => {
  const { analyze, scoring, server, stop } = await startNiche();
  scoring.hooks.beforeAnswer = never;
  const call = analyze();
  call.catch(() => {});
  await until(() => scoring.requestedTerms().length > 0);
  const check = server.checks.analyses;
  expect(await check?.()).toMatchObject({ state: 'OK', detail: '1 running, 0 waiting' });
  await stop();
});

test('analyses are deleted 30 days after they ran', async () => {
  const { analyze, clock, rows } = await startNiche();
  await analyze({ topic: 'camera' });
  clock.advance(30 * dayMs);
  await analyze({ topic: 'recipes' });
  expect((await rows('analyses')).length).toBe(2);
  clock.advance(1);
  await analyze({ topic: 'running' });
  expect((await rows('analyses')).map(({ _id }) => _id).sort()).toEqual([
    ...['ITUNES:US:en-US:recipes', 'ITUNES:US:en-US:running'],
  ]);
});

test('a failed analysis also deletes old documents', async () => {
  const { analyze, clock, rows, store } = await startNiche();
  await analyze({ topic: 'camera' });
  clock.advance(30 * dayMs + 1);
  store.fail('suggestTerms');
  await expect(analyze({ topic: 'recipes' })).rejects.toMatchObject({ code: 'ANALYSIS_FAILED' });
  expect(await rows('analyses')).toEqual([]);
});
