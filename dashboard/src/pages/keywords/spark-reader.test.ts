import { createSparkReader, type RankDays } from './spark-reader.ts';

const daysOf = (rank: number): RankDays => ({
  from: '2026-11-01',
  to: '2026-11-28',
  read: [{ date: '2026-11-28', rank }],
});

/** A reader whose calls end, and whose pauses pass, when the test says so. */
function start() {
  const calls: (readonly string[])[] = [];
  const shown: Record<string, RankDays | null> = {};
  const failures: unknown[] = [];
  const pauses: (() => void)[] = [];
  let answer: (ids: readonly string[]) => Promise<ReadonlyMap<string, RankDays>> = async (ids) =>
    new Map(ids.map((id) => [id, daysOf(Number(id))]));
  const reader = createSparkReader({
    call: (ids) => {
      calls.push(ids);
      return answer(ids);
    },
    onFailed: (error) => failures.push(error),
    pause: () => new Promise((resolve) => pauses.push(resolve)),
  });
  return {
    calls,
    shown,
    failures,
    leave: reader.leave,
    enter: (...ids: string[]) => {
      for (const id of ids)
        reader.enter(id, (days) => {
          shown[id] = days;
        });
    },
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    async pass() {
      pauses.shift()?.();
      for (let turn = 0; turn < 10; turn++) await null;
    },
  };
}

test('rows that come into view together are read by one call, and each keyword once', async () => {
  const { calls, shown, enter, leave, pass } = start();
  enter('1', '2');
  await pass();
  expect(calls).toEqual([['1', '2']]);
  expect(shown).toEqual({ 1: daysOf(1), 2: daysOf(2) });
  enter('3');
  await pass();
  leave('1');
  delete shown['1'];
  enter('1');
  await pass();
  expect(shown['1']).toEqual(daysOf(1));
  expect(calls).toEqual([['1', '2'], ['3']]);
});

test('a row that has left the view before the pause is not read', async () => {
  const { calls, enter, leave, pass } = start();
  enter('1', '2');
  leave('1');
  await pass();
  expect(calls).toEqual([['2']]);
});

test('a call has 100 keywords at most, and the others follow', async () => {
  const { calls, enter, pass } = start();
  enter(...Array.from({ length: 130 }, (_, at) => String(at)));
  await pass();
  await pass();
  expect(calls.map((ids) => ids.length)).toEqual([100, 30]);
});

test('a keyword without an answer has no ranks; a failure is said and not repeated', async () => {
  const { calls, shown, failures, enter, answerWith, pass } = start();
  const failure = new Error('no answer');
  answerWith(async () => new Map());
  enter('1');
  await pass();
  answerWith(() => Promise.reject(failure));
  enter('2');
  await pass();
  await pass();
  enter('2');
  await pass();
  expect(shown).toEqual({ 1: null, 2: null });
  expect([calls.length, failures]).toEqual([2, [failure]]);
});
