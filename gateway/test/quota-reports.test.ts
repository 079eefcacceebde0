import type { Connection } from 'mongoose';
import { until } from '../../testing/until.ts';
import type { QuotaReport } from '../src/limits/quota-marks.ts';
import { createUsageCounters } from '../src/limits/usage-counters.ts';
import { startDatabase } from './harness/start-database.ts';

let connection: Connection;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ connection, stop } = await startDatabase());
});
afterAll(() => stop());

const june = new Date('2026-06-15T10:00:00Z');
const cap = 200;

/** Two gateways on one database, and what they report. */
function start(accountId: string) {
  const reports: QuotaReport[] = [];
  const notify = { isAway: false };
  const report = async (one: QuotaReport) => {
    if (notify.isAway) throw new Error('away');
    reports.push(one);
  };
  const gateways = [createUsageCounters(connection, report), createUsageCounters(connection, report)];
  let next = 0;
  const spend = (at = june) => gateways[next++ % 2]?.spend({ accountId, counter: 'api_requests', cap, at });
  const storedPercent = async () => {
    const usage = connection.collection<{ _id: string; reported?: { percent: number } }>('usage');
    return (await usage.findOne({ _id: `${accountId}:2026-06` }))?.reported?.percent;
  };
  return { reports, notify, spend, storedPercent };
}

test('two gateways report each mark of a quota, and count to its end exactly', async () => {
  const { reports, spend, storedPercent } = start('ann');
  for (let used = 1; used <= cap; used += 1) {
    expect([used, await spend()]).toEqual([used, null]);
    const mark = Math.floor((used * 100) / cap / 5) * 5;
    await until(async () => ((await storedPercent()) ?? 0) === mark);
  }
  expect(await spend()).toMatchObject({ spent: cap, cap });
  expect(reports.map(({ percent, percentBefore }) => [percentBefore, percent])).toEqual(
    Array.from({ length: 20 }, (_, index) => [5 * index, 5 * (index + 1)]),
  );
});

test('uses at the same time pass no quota and miss no mark', async () => {
  const { reports, spend, storedPercent } = start('bob');
  const answers = await Promise.all(Array.from({ length: cap + 30 }, () => spend()));
  expect(answers.filter((answer) => answer === null)).toHaveLength(cap);
  await until(() => reports.some(({ percent }) => percent === 100));
  expect(await storedPercent()).toBeGreaterThan(0);
});

test('the last mark is also reported when notify is back after the quota was used up', async () => {
  const { reports, notify, spend, storedPercent } = start('eve');
  notify.isAway = true;
  for (let used = 1; used <= cap; used += 1) expect(await spend()).toBeNull();
  notify.isAway = false;
  const later = new Date(june.getTime() + 60_000);
  expect(await spend(later)).toMatchObject({ spent: cap, cap });
  await until(async () => (await storedPercent()) === 100);
  expect(reports).toEqual([{ accountId: 'eve', percent: 100, percentBefore: 0, at: later }]);
});
