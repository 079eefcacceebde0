import { judgeGoal, judgeOnMachine, noFailedCall, worstOutcome } from './judge-on-machine.ts';

const bare = { calls: 600, p99: 100, max: 400, held: 20, failed: 0 };

describe('a goal that a slow machine can miss', () => {
  test('is met whatever the bare server took', () => {
    expect(judgeOnMachine({ isMet: true, limitMs: 1, bare })).toBe('met');
  });

  test('is missed when the p99 of the bare server was at most a tenth of its limit', () => {
    expect(judgeOnMachine({ isMet: false, limitMs: 1000, bare })).toBe('missed');
  });

  test('is not judged when it was more, and says so', () => {
    const goal = { isMet: false, limitMs: 999, bare };
    expect(judgeOnMachine(goal)).toBe('not judged');
    expect(judgeGoal('p99 1200 ms', goal).text).toBe(
      "p99 1200 ms (a bare server's p99 in the same minute: 100 ms)",
    );
  });

  test('is compared with the slowest bare call when a single call can miss it', () => {
    expect(judgeOnMachine({ isMet: false, limitMs: 3000, bare, figure: 'max' })).toBe('not judged');
    expect(judgeOnMachine({ isMet: false, limitMs: 4000, bare, figure: 'max' })).toBe('missed');
  });

  test('is missed when the bare server was never called', () => {
    const none = { calls: 0, p99: Number.NaN, max: Number.NaN, held: 0, failed: 0 };
    expect(judgeOnMachine({ isMet: false, limitMs: 1000, bare: none })).toBe('missed');
  });
});

describe('no failed call', () => {
  const slow = { ...bare, max: 501 };
  const judge = (failed: Parameters<typeof noFailedCall>[0], figures = slow) =>
    judgeOnMachine(noFailedCall(failed, figures));

  test('is met without one', () => {
    expect(judge([])).toBe('met');
  });

  test('excuses 503, and no answer within the deadline, on a slow machine only', () => {
    const late = [
      { status: 503, ms: 10 },
      { status: null, ms: 5000 },
    ];
    expect(judge(late)).toBe('not judged');
    expect(judge(late, { ...bare, max: 500 })).toBe('missed');
  });

  test.each([
    ['another status', { status: 500, ms: 6000 }],
    ['an answer that is not an error', { status: 200, ms: 6000 }],
    ['a connection that was refused at once', { status: null, ms: 10 }],
  ])('never excuses %s', (_what, call) => {
    expect(judge([{ status: 503, ms: 10 }, call])).toBe('missed');
  });
});

test('a missed goal outweighs one that is not judged, which outweighs one that is met', () => {
  const [met, missed, notJudged] = [
    { outcome: 'met' },
    { outcome: 'missed' },
    { outcome: 'not judged' },
  ] as const;
  expect(worstOutcome([met, missed, notJudged])).toBe('missed');
  expect(worstOutcome([met, notJudged])).toBe('not judged');
  expect(worstOutcome([met])).toBe('met');
});
