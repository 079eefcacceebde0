import { createAccountChanges } from './account-changes.ts';

const start = new Date('2026-06-15T12:00:00Z');

function create() {
  const clock = { ms: 0 };
  const changed: { id: string; atMs: number }[] = [];
  const queries: Date[] = [];
  const evicted: (readonly string[] | 'all')[] = [];
  let failure: Error | null = null;
  const changes = createAccountChanges({
    async findSince(since, limit) {
      queries.push(since);
      if (failure) throw failure;
      const sinceMs = since.getTime() - start.getTime();
      return changed
        .filter(({ atMs }) => atMs > sinceMs)
        .map(({ id }) => id)
        .slice(0, limit);
    },
    cache: { evict: (ids) => void evicted.push(ids), clear: () => void evicted.push('all') },
    now: () => new Date(start.getTime() + clock.ms),
    monotonicMs: () => clock.ms,
  });
  const fail = (error: Error | null) => {
    failure = error;
  };
  return { clock, changed, queries, evicted, changes, fail };
}

test('any number of calls in one second share one query, and evict nothing without a change', async () => {
  const { clock, queries, evicted, changes } = create();
  await Promise.all([changes.seen(), changes.seen()]);
  clock.ms = 899;
  await changes.seen();
  expect(queries).toHaveLength(1);
  clock.ms = 1000;
  await changes.seen();
  expect(queries).toHaveLength(2);
  expect(evicted).toEqual([]);
});

test('a change is evicted by every reading for five minutes, also one whose clock is minutes behind', async () => {
  const { clock, changed, evicted, changes } = create();
  changed.push({ id: 'a', atMs: -200_000 });
  await changes.seen();
  expect(evicted).toEqual([['a']]);
  clock.ms = 1000;
  await changes.seen();
  expect(evicted).toEqual([['a'], ['a']]);
  clock.ms = 100_000;
  await changes.seen();
  expect(evicted).toHaveLength(3);
  clock.ms = 101_000;
  await changes.seen();
  expect(evicted).toHaveLength(3);
});

test('after a pause, a reading also covers the pause, but no more of it than the age of cached answers', async () => {
  const { clock, queries, changes } = create();
  const minutesBefore = (at: Date | undefined) =>
    (start.getTime() + clock.ms - (at?.getTime() ?? 0)) / 60_000;
  await changes.seen();
  for (const [pause, minutes] of [
    [120_000, 7],
    [3_600_000, 10],
  ] as const) {
    clock.ms += pause;
    await changes.seen();
    expect(minutesBefore(queries.at(-1))).toBe(minutes);
  }
});

test('calls wait for a reading that runs', async () => {
  let answer: (ids: string[]) => void = () => {};
  const evicted: string[] = [];
  const changes = createAccountChanges({
    findSince: () => new Promise((resolve) => (answer = resolve)),
    cache: { evict: (ids) => void evicted.push(...ids), clear: () => {} },
    now: () => start,
    monotonicMs: () => 0,
  });
  const first = changes.seen();
  const evictedWhenSecondWasAnswered = changes.seen().then(() => [...evicted]);
  answer(['a']);
  await first;
  expect(await evictedWhenSecondWasAnswered).toEqual(['a']);
});

test('with a thousand changes every key is looked up again', async () => {
  const { changed, evicted, changes } = create();
  for (let index = 0; index < 1000; index++) changed.push({ id: `a${index}`, atMs: 0 });
  await changes.seen();
  expect(evicted).toEqual(['all']);
});

test('while the changes cannot be read, no call goes on; the next call reads again', async () => {
  const { queries, changes, fail } = create();
  fail(new Error('the database is away'));
  await expect(changes.seen()).rejects.toThrow('away');
  fail(null);
  await changes.seen();
  expect(queries).toHaveLength(2);
});
