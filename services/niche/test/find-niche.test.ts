import { until } from '../../../testing/until.ts';
import { createHarness, type NicheService, us, within } from './start-niche.ts';

const { startNiche } = createHarness();

const find = ({ client }: NicheService, accountId = 'ann', topic = 'habit tracker') =>
  client.findNiche({ account_id: accountId, storefront: us, topic }, within());

test('a kept analysis is found by an account that has received it, however old, and by no other', async () => {
  const service = await startNiche();
  const { analysis } = await service.analyze();
  expect(await find(service)).toEqual({ analysis, progress: null });
  expect(await find(service, 'ben')).toEqual({ analysis: null, progress: null });
  service.clock.advance(20 * 86_400_000);
  expect((await find(service)).analysis).toEqual(analysis);
});

test('an analysis that another account has replaced is not found by the first', async () => {
  const service = await startNiche();
  await service.analyze();
  service.clock.advance(8 * 86_400_000);
  await service.analyze({ account_id: 'ben' });
  expect((await find(service)).analysis).toBeNull();
  expect((await find(service, 'ben')).analysis).not.toBeNull();
});

test('to look starts and awaits nothing', async () => {
  const service = await startNiche();
  expect(await find(service)).toEqual({ analysis: null, progress: null });
  expect(service.store.calls).toEqual([]);
});

test('an account sees how far its analysis is, in any copy, and not that of another account', async () => {
  const service = await startNiche();
  const copy = await startNiche({ copyOf: service });
  const open = service.holdScoring();
  const running = service.analyze();
  await service.untilReading();
  await until(async () => (await find(copy)).progress?.phase === 'candidates');
  expect((await find(copy)).progress).toMatchObject({ is_running: true, ahead: 0 });
  expect((await find(copy)).progress?.candidates).toBeGreaterThan(0);
  expect((await find(copy, 'ben')).progress).toBeNull();
  open();
  await running;
  expect((await find(copy)).progress).toBeNull();
  expect(await service.rows('analysis_progress')).toEqual([]);
});

test('one that waits says how many wait before it', async () => {
  const service = await startNiche();
  const open = service.holdStore();
  const calls = ['first', 'second', 'third'].map((topic) => service.analyze({ topic }));
  await service.untilStatus('1 running, 2 waiting');
  expect((await find(service, 'ann', 'third')).progress).toMatchObject({ is_running: false, ahead: 1 });
  open();
  await Promise.all(calls);
});
