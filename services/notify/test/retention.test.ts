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
