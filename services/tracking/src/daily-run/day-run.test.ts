import { AppError } from '@shelfwise/runtime/errors';
import { createDayRun } from './day-run.ts';

const market = {
  _id: 1,
  store: 'ITUNES',
  country: 'US',
  lang: 'en-US',
  keyword: 'habit tracker',
} as never;

/** A run over one keyword, in which the list of the next keywords cannot be read. */
async function runInto(error: Error) {
  const logged: unknown[] = [];
  const problems: string[] = [];
  const { kind, begin } = createDayRun({
    dueKeywordMarkets: {
      listTracked: async (_after: number, limit: number) => {
        if (limit === 1) return [market];
        throw error;
      },
      countTracked: async () => 1,
    } as never,
    snapshots: { findTaken: async () => new Set<number>() } as never,
    takeSnapshot: { ofDay: async () => ({}) as never },
    runs: { setVisited: async () => true, end: async (_id, end) => void problems.push(...end.problems) },
    logger: { error: (entry: unknown) => void logged.push(entry) } as never,
    now: () => new Date('2026-11-22T09:01:00Z'),
  });
  const { signal } = new AbortController();
  const run = await begin('2026-11-21', 'request-1')(new Date('2026-11-22T09:00:00Z'), signal);
  await kind.work({ ...run, run_id: 'run-1' } as never, signal);
  return { problems, logged };
}

test('an internal error ends the run; the cause is in the log and not in the answer', async () => {
  const error = new Error('connection string of the database');
  const { problems, logged } = await runInto(error);
  expect(problems).toEqual([
    'The run stopped early: an internal error, which the log describes. Start the run again.',
  ]);
  expect(logged).toEqual([{ err: error, day: '2026-11-21' }]);
});

test('a failure of the store ends the run with its own message', async () => {
  const { problems, logged } = await runInto(new AppError('STORE_FETCH_FAILED', 'The App Store is blocked.'));
  expect(problems).toEqual(['The run stopped early: The App Store is blocked.']);
  expect(logged).toEqual([]);
});
