import { until } from '../../../testing/until.ts';
import { createHarness, trackApp, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness();

test('snapshots older than the retention are deleted once their events are published; ranks stay', async () => {
  const tracking = await startTracking({ snapshotDays: 30 });
  const { clock, bus, rows } = tracking;
  await until(() => clock.sleeping() === 1);
  const id = await trackApp(tracking, 'ann');
  await trackKeywords(tracking, 'ann', id, ['one two']);
  await until(async () => (await rows('snapshots')).every(({ outbox }) => outbox === undefined));
  bus.fail = true;
  await trackKeywords(tracking, 'ann', id, ['three']);
  clock.advance(31 * 24 * 3_600_000);
  await until(async () => (await rows('snapshots')).length === 1);
  await until(() => clock.sleeping() === 1);
  expect(await rows('snapshots')).toMatchObject([{ outbox: expect.anything() }]);
  const markets = await rows('keyword_markets');
  expect(markets.map(({ latest }) => latest.day)).toEqual(['2026-03-10', '2026-03-10']);
});

test('by default snapshots are kept forever', async () => {
  const tracking = await startTracking();
  const id = await trackApp(tracking, 'ann');
  await trackKeywords(tracking, 'ann', id, ['one two']);
  tracking.clock.advance(1000 * 24 * 3_600_000);
  expect(tracking.clock.sleeping()).toBe(0);
  expect(await tracking.rows('snapshots')).toHaveLength(1);
});
