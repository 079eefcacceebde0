import {
  formatOutcome,
  type Judged,
  judgeGoal,
  type MachineGoal,
  type Outcome,
  outcomeOf,
} from './judge-on-machine.ts';

export type Expectations = ReturnType<typeof createExpectations>;

/** Prints the outcome of each expectation and counts them. */
export function createExpectations() {
  const counts: Record<Outcome, number> = { met: 0, missed: 0, 'not judged': 0 };
  function print(judged: Judged): void {
    counts[judged.outcome]++;
    console.log(formatOutcome(judged));
  }
  return {
    expectThat(isTrue: boolean, expectation: string): void {
      print({ text: expectation, outcome: outcomeOf(isTrue) });
    },
    expectOutcome(outcome: Outcome, expectation: string): void {
      print({ text: expectation, outcome });
    },
    /** A goal that a slow machine can miss: then it is not judged. */
    expectOnMachine(goal: MachineGoal, expectation: string): void {
      print(judgeGoal(expectation, goal));
    },
    /** Prints the summary. Returns the exit code: 0 without failures. */
    conclude(): number {
      const { missed, 'not judged': notJudged } = counts;
      if (notJudged > 0) console.log(`${notJudged} not judged: machine`);
      if (missed > 0) console.log(`${missed} expectations failed`);
      else console.log(notJudged > 0 ? 'all other expectations met' : 'all expectations met');
      return missed === 0 ? 0 : 1;
    },
  };
}
