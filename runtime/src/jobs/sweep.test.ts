import { createManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { createRecordingLogger } from '../../test/recording-logger.ts';
import { documentsPerBatch } from '../mongo/delete-batch.ts';
import { createSweep } from './sweep.ts';

/** A sweep of documents that are kept 30 days, with a number of expired ones. */
function startSweep(expired: number, keptDays: number | null = 30) {
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const calls: string[] = [];
  let left = expired;
  let failures = 0;
  const sweep = createSweep({
    expiring: [
      {
        name: 'rows',
        keptDays,
        async deleteBefore(before) {
          calls.push(before.toISOString());
          if (failures-- > 0) throw new Error('the database is away');
          const found = Math.min(left, documentsPerBatch);
          left -= found;
          return found;
        },
      },
    ],
    logger: createRecordingLogger().logger,
    now: clock.now,
    sleep: clock.sleep,
  });
  return {
    clock,
    calls,
    sweep,
    left: () => left,
    failNext(count: number) {
      failures = count;
    },
  };
}

test('expired documents are deleted in batches at the start and every 6 hours', async () => {
  const { clock, calls, sweep, left } = startSweep(2 * documentsPerBatch + 1);
  sweep.start();
  await until(() => clock.sleeping() === 1);
  expect(left()).toBe(0);
  expect(calls).toEqual(Array(3).fill('2026-02-08T09:00:00.000Z'));
  clock.advance(6 * 3_600_000);
  await until(() => calls.length === 4);
  expect(calls[3]).toBe('2026-02-08T15:00:00.000Z');
  await sweep.stop();
});

test('what is kept forever is never looked for', async () => {
  const { calls, sweep } = startSweep(1, null);
  sweep.start();
  await sweep.stop();
  expect(calls).toEqual([]);
});

test('a sweep that fails is repeated', async () => {
  const { clock, sweep, left, failNext } = startSweep(1);
  failNext(1);
  sweep.start();
  await until(() => clock.sleeping() === 1);
  expect(left()).toBe(1);
  clock.advance(15_000);
  await until(() => left() === 0);
  await sweep.stop();
});
