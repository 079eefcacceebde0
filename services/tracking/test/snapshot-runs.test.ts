import { createLogger } from '@shelfwise/runtime/log/logger';
import { createLease } from '@shelfwise/runtime/mongo/lease';
import type { Connection } from 'mongoose';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { until } from '../../../testing/until.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { createSnapshotRuns, type RunKind, runLeaseMs } from '../src/daily-run/snapshot-runs.ts';
import { trackingSchema } from '../src/schema.ts';
import { createSnapshotRunStore } from '../src/stores/snapshot-run-store.ts';

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
const database = useDatabase(trackingSchema);
let connection: Connection;
let clock: ManualClock;
beforeEach(async () => {
  ({ connection } = await database.take());
  clock = createManualClock('2026-03-10T12:00:00Z');
});

const begin = async () => ({
  request_id: 'request-1',
  day: '2026-03-01',
  total: 1,
  done: 0,
  failed: 0,
  planned_before: null,
  prepare_from: {},
  after_id: 0,
  visited: 0,
});

/** A copy of the service. `work` is what it does on the run. */
function startCopy(
  work: (runId: string, signal: AbortSignal) => Promise<void>,
  readProgress: RunKind['readProgress'] = async () => ({
    isOver: false,
    done: 0,
    failed: 0,
    left: 1,
    problems: [],
  }),
) {
  const runs = createSnapshotRunStore(connection);
  const kind: RunKind = {
    hasWork: () => true,
    work: ({ run_id: runId }, signal) => work(runId, signal),
    readProgress,
  };
  const lease = createLease({
    connection,
    name: 'snapshot run',
    leaseMs: runLeaseMs,
    monotonicMs: clock.monotonicMs,
  });
  const snapshotRuns = createSnapshotRuns({
    runs,
    lease,
    kinds: { due: kind, day: kind },
    logger,
    now: clock.now,
  });
  return { runs, snapshotRuns };
}

test('of copies that start a run at the same time, one does, and all return that run', async () => {
  const working: string[] = [];
  const copies = Array.from({ length: 4 }, () => startCopy(async (runId) => void working.push(runId)));
  const started = await Promise.all(copies.map(({ snapshotRuns }) => snapshotRuns.start(begin)));
  expect(new Set(started.map((run) => JSON.stringify(run))).size).toBe(1);
  await until(() => working.length > 0);
  for (const { snapshotRuns } of copies) await snapshotRuns.stop();
  expect(new Set(working).size).toBe(1);
});

test('the run of a copy that died is continued by another one after the lease, not before', async () => {
  const dead = startCopy(
    (_runId, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  await dead.snapshotRuns.start(begin);
  let isContinued = false;
  const other = startCopy(async (runId) => {
    isContinued = true;
    await other.runs.end(runId, { ended_at: clock.at, done: 1, failed: 0, left: 0, problems: [] });
  });
  const held = () => connection.collection('held_leases').countDocuments({ holder: { $ne: null } });
  await until(async () => (await held()) === 1);
  await other.snapshotRuns.look();
  clock.advance(runLeaseMs - 1);
  await other.snapshotRuns.look();
  expect(isContinued).toBe(false);
  clock.advance(1);
  await other.snapshotRuns.look();
  expect(isContinued).toBe(true);
  expect(await dead.snapshotRuns.findLast()).toMatchObject({ is_over: true, done: 1 });
  await other.snapshotRuns.stop();
  await dead.snapshotRuns.stop();
});

test('a failure that is counted while the progress is read belongs to the run', async () => {
  let isFirst = true;
  const copy = startCopy(
    async () => {},
    async ({ failed }) => {
      if (isFirst) await copy.runs.addFailures(2, 'copy', null);
      isFirst = false;
      return { isOver: true, done: 0, failed, left: 2 - failed, problems: [] };
    },
  );
  const started = await copy.snapshotRuns.start(async () => ({ ...(await begin()), day: null }));
  expect(started).toMatchObject({ is_over: true, failed: 2, left: 0 });
  expect(await copy.snapshotRuns.findLast()).toMatchObject({ is_over: true, failed: 2, left: 0 });
  await copy.snapshotRuns.stop();
});
