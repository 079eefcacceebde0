import { createManualClock } from '../../testing/manual-clock.ts';
import { useDatabase } from '../../testing/use-database.ts';
import type { ItemOutcome } from '../src/bulk/bulk-job.ts';
import { createBulkJobStore } from '../src/bulk/bulk-job-store.ts';
import { createBulkJobs } from '../src/bulk/bulk-jobs.ts';
import { createCounterStore } from '../src/mongo/counter-store.ts';

const database = useDatabase({
  database: 'bulk',
  createModels: (connection) => [createBulkJobStore(connection), createCounterStore(connection)],
  migrations: [],
});

const failure = { code: 'SERVICE_UNAVAILABLE', message: 'Away.' } as const;

/** A job of these texts. */
async function startJob(texts: readonly string[]) {
  const { connection } = await database.take();
  const clock = createManualClock('2026-03-10T09:00:00Z');
  const jobs = createBulkJobs({
    store: createBulkJobStore<object>(connection),
    counters: createCounterStore<'job'>(connection),
    capReservations: {
      write: async (_request, { write }) => ({ written: await write(1), isFull: false }),
    },
    toId: (n) => n,
    batchItems: 20,
    name: 'test',
    metrics: { jobQueues: { add: () => {} }, bulkItems: { inc: () => {} } } as never,
    now: clock.now,
    sleep: clock.sleep,
    random: () => 0,
  });
  const { signal } = new AbortController();
  await jobs.create({ account_id: 'ann', texts, max_open: 5 }, {}, signal);
  const log = { error: () => {} } as never;

  /** Runs all of the next batch, whose attempts end like this. Returns the refunds; null: no job is due. */
  async function runNext(outcomes: readonly ItemOutcome[], isCallerGone = false) {
    const { taken } = await jobs.take();
    if (!taken) return null;
    const items = taken.items.map(({ position }) => ({ position, isCapped: true }));
    const grant = { jobId: taken.job._id, claim: taken.claim, items, refusal: null };
    const caller = new AbortController();
    const runItems = async () => {
      if (isCallerGone) caller.abort();
      return { outcomes, ends: null };
    };
    return jobs.run(grant, runItems, { signal: caller.signal, log });
  }
  return { jobs, clock, runNext };
}

test('a caller that has gone hears of no refund: results are saved, and the others stay counted', async () => {
  const { jobs, clock, runNext } = await startJob(['one', 'two', 'three', 'four']);
  const outcomes: ItemOutcome[] = [
    { result: Buffer.from('found') },
    { again: failure },
    { failure, isRefunded: true },
    'wait',
  ];
  expect(await runNext(outcomes, true)).toEqual({ requests: 0, uses: 0 });
  expect((await jobs.read({ account_id: 'ann', id: 1, page: 1, per_page: 10 })).job).toMatchObject({
    state: 'running',
    done: 1,
    failed: 0,
  });
  clock.advance(60_000);
  const { taken } = await jobs.take();
  expect(taken?.items.map(({ position, spent_at }) => [position, spent_at !== null])).toEqual([
    [2, true],
    [3, true],
    [4, true],
  ]);
  clock.advance(20_000);
  // The caller that hears of them refunds them once.
  expect(await runNext(outcomes.slice(1))).toEqual({ requests: 3, uses: 3 });
});

test('what an upstream answered in part is tried again each minute, what it did not answer later and later', async () => {
  const { clock, runNext } = await startJob(['one']);
  const partly: ItemOutcome = { again: failure, isIncomplete: true };
  expect(await runNext([partly])).toEqual({ requests: 1, uses: 1 });
  for (let minute = 0; minute < 5; minute++) {
    expect(await runNext([partly])).not.toBeNull();
    expect(await runNext([partly])).toBeNull();
    clock.advance(60_000);
  }
  for (const minutes of [1, 2, 4]) {
    expect(await runNext([{ again: failure }])).not.toBeNull();
    clock.advance(minutes * 60_000 - 1);
    expect(await runNext([])).toBeNull();
    clock.advance(1);
  }
});
