import { keptAlerts } from '@shelfwise/facts/alerts/alert-kinds';
import { codeOf } from '../../../testing/call-within.ts';
import { until } from '../../../testing/until.ts';
import { allAlerts, createHarness, publisher } from './start-notify.ts';

const { startNotify } = createHarness();

test('alerts are kept 400 days, and the id of a deleted one is never given again', async () => {
  const notify = await startNotify();
  const { trackApp, trackKeyword, takePage } = publisher(notify);
  await trackApp();
  await trackKeyword();
  await takePage(8, { 'app-1': 3 });
  await takePage(9, { 'app-1': 40 });
  const total = async () => (await notify.client.listAlerts(allAlerts)).total;
  expect(await total()).toBe(2);
  notify.clock.moveTo('2027-04-13T09:00:00Z');
  expect(await total()).toBe(2);
  notify.clock.moveTo('2027-04-15T09:00:00Z');
  await until(async () => (await total()) === 0);
  await takePage(10, { 'app-1': 2 }, { day: '2027-04-14' });
  await takePage(11, { 'app-1': 40 }, { day: '2027-04-15' });
  const { alerts } = await notify.client.listAlerts({ ...allAlerts, since: 0 });
  expect(alerts.map(({ id }) => id)).toEqual([3, 4]);
});

test('the feed keeps the last 100,000 alerts; a client whose cursor is older gets an error, and goes on', async () => {
  const notify = await startNotify();
  const { trackApp, trackKeyword, takePage } = publisher(notify);
  await trackApp();
  await trackKeyword();
  await takePage(8, { 'app-1': 3 });
  await takePage(9, { 'app-1': 40 });
  const list = (since: number) => notify.client.listAlerts({ ...allAlerts, since });
  const alerts = notify.connection.collection<{ _id: string; seq: number }>('alerts');
  const [row] = await alerts.find({ seq: 1 }).toArray();
  const copy = (seq: number) => ({ ...row, _id: `copy ${seq}`, seq });
  // The first of the next thousand is still missing.
  await alerts.insertMany([copy(1000), copy(1001), copy(keptAlerts + 998)]);
  const feed = async () => (await list(0)).alerts.map(({ id }) => id);
  await takePage(10, { 'app-1': 2 });
  await takePage(11, { 'app-1': 40 });
  const newest = [keptAlerts + 998, keptAlerts + 999, keptAlerts + 1000];
  expect(await feed()).toEqual([1001, ...newest]);
  expect(await codeOf(list(2))).toBe('INVALID_PARAMS');
  await expect(list(999)).rejects.toThrow('Send 1000 for those that are kept');
  expect((await list(1000)).total).toBe(4);
});
