import type { Worker } from '@shelfwise/runtime/jobs/worker';
import { createManualClock } from '../../../../testing/manual-clock.ts';
import type { SnapshotRunDocument } from '../stores/snapshot-run-store.ts';
import { createDueRun } from './due-run.ts';

/** Two copies of the service on one run. The workers of the first are paused, those of the second are not. */
async function startCopies(firstPauses: readonly { name: string; until: string }[]) {
  const clock = createManualClock('2026-03-10T10:00:00Z');
  const run = { planned_before: clock.at, prepare_from: {}, total: 0, failed: 0, pauses: {} };
  const startCopy = (workers: readonly unknown[]) =>
    createDueRun({
      workers: () => workers as Worker[],
      dueKeywordMarkets: {
        countDue: async () => 0,
        countClaimed: async () => 0,
        countPlannedBefore: async () => 0,
      } as never,
      runs: {
        setPrepared: async () => {},
        addFailures: async (_count, copyId, pause) => void Object.assign(run.pauses, { [copyId]: pause }),
      },
      now: clock.now,
    });
  const paused = firstPauses.map(({ name, until }) => ({
    name,
    pauseReason: () => ({ until: new Date(until), reason: 'The store does not answer.' }),
  }));
  await startCopy(paused).onFailure();
  const { kind } = startCopy([]);
  return {
    clock,
    readProblems: async () => (await kind.readProgress(run as unknown as SnapshotRunDocument)).problems,
  };
}

test('another copy names the pauses of a copy until the last of them ends', async () => {
  const { clock, readProblems } = await startCopies([
    { name: 'result pages of the App Store', until: '2026-03-10T10:20:00Z' },
    { name: 'result pages of Google Play', until: '2026-03-10T10:05:00Z' },
  ]);
  clock.moveTo('2026-03-10T10:19:59Z');
  expect(await readProblems()).toContain(
    'result pages of the App Store are not read until 10:20 UTC: The store does not answer.',
  );
  clock.moveTo('2026-03-10T10:20:00Z');
  expect(await readProblems()).toEqual([]);
});
