import type { SnapshotRun } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';
import { followSnapshotRun } from './follow-snapshot-run.ts';

const run = (done: number, left: number): SnapshotRun => ({
  is_over: left === 0,
  done,
  failed: 0,
  left,
  problems: [],
  started_at: null,
  ended_at: null,
});
const unavailable = new AppError('SERVICE_UNAVAILABLE', 'tracking does not answer');

/** Follows a service that returns these answers in order, the last one repeatedly. */
function follow(answers: (SnapshotRun | AppError)[], { patienceMs = 30_000, interruptAt = -1 } = {}) {
  const interrupt = new AbortController();
  const seen: number[] = [];
  const next = async () => {
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? null;
    if (answer instanceof AppError) throw answer;
    return { run: answer };
  };
  const result = followSnapshotRun(
    { all_of_today: false },
    {
      tracking: { startSnapshotRun: next, getSnapshotRun: next },
      signal: interrupt.signal,
      onProgress({ done }) {
        seen.push(done);
        if (done === interruptAt) interrupt.abort();
      },
      pollMs: 1,
      unavailableForMs: patienceMs,
    },
  );
  return { result, seen };
}

test('follows a run until it is over', async () => {
  const { result, seen } = follow([run(0, 2), run(1, 1), run(2, 0)]);
  expect(await result).toEqual(run(2, 0));
  expect(seen).toEqual([0, 1, 2]);
});

test('Ctrl-C stops following and returns the counts so far', async () => {
  const { result } = follow([run(0, 2), run(1, 1)], { interruptAt: 1 });
  expect(await result).toMatchObject({ is_over: false, done: 1, left: 1 });
});

test('a service that is unavailable for a moment is polled again', async () => {
  const { result } = follow([run(0, 2), unavailable, unavailable, run(2, 0)]);
  expect(await result).toEqual(run(2, 0));
});

test('a service that stays unavailable is an error', async () => {
  await expect(follow([run(0, 2), unavailable], { patienceMs: 20 }).result).rejects.toBe(unavailable);
});

test('a refusal of the service is passed on', async () => {
  const refusal = new AppError('INVALID_PARAMS', 'day is for the sample only');
  await expect(follow([refusal]).result).rejects.toBe(refusal);
});
