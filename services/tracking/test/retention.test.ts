import { until } from '../../../testing/until.ts';
import { createHarness, trackApp, trackKeyword, trackKeywords } from './start-tracking.ts';

const { startTracking } = createHarness();

test('snapshots older than the retention are deleted once their events are published; ranks stay', async () => {
  const tracking = await startTracking({ snapshotDays: 10 });
  const { clock, bus, rows } = tracking;
  await until(() => clock.sleeping() === 2);
  const id = await trackApp(tracking, 'ann');
  await trackKeywords(tracking, 'ann', id, ['one two']);
  await until(async () => (await rows('snapshots')).every(({ outbox }) => outbox === undefined));
  bus.fail = true;
  await trackKeywords(tracking, 'ann', id, ['three']);
  clock.advance(11 * 24 * 3_600_000);
  await until(async () => (await rows('snapshots')).length === 1);
  await until(() => clock.sleeping() === 2);
  expect(await rows('snapshots')).toMatchObject([{ outbox: expect.anything() }]);
  const markets = await rows('keyword_markets');
  expect(markets.map(({ latest }) => latest.day)).toEqual(['2026-03-10', '2026-03-10']);
});

test('by default snapshots are kept forever, packed three days after the next 1st, 8th, 15th or 22nd of a month', async () => {
  const tracking = await startTracking();
  const { clock, client, rows } = tracking;
  const id = await trackApp(tracking, 'ann');
  const keywordId = await trackKeyword(tracking, 'ann', id, 'one two');
  await until(async () => (await rows('snapshots')).every(({ outbox }) => outbox === undefined));
  const window = { account_id: 'ann', keyword_id: keywordId, from: '2026-01-01', to: '2026-12-31' };
  const history = await client.getRankHistory(window);
  expect(history.apps[0]?.history).toHaveLength(1);

  /** Moves to the end of the pause of each look. */
  async function packOn(day: string): Promise<unknown[]> {
    clock.moveTo(`${day}T12:00:00Z`);
    for (const minutes of [10, 20, 30]) {
      await until(() => clock.sleeping() === 2);
      clock.moveTo(`${day}T12:${minutes}:00Z`);
    }
    await until(() => clock.sleeping() === 2);
    expect(await client.getRankHistory(window)).toEqual(history);
    return (await rows('snapshots')).map(({ _id }) => _id);
  }
  expect(await packOn('2026-03-17')).toEqual([`${keywordId}:2026-03-10`]);
  expect(await packOn('2026-03-18')).toEqual([`${keywordId}:2026-03-all`]);
  expect(await packOn('2026-04-04')).toEqual([`${keywordId}:2026-03-all`]);
  expect(await packOn('2029-01-01')).toEqual([`${keywordId}:2026-03-all`]);
});
