import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import type { Deltas } from './audit-subtitles.ts';
import { type Answer, answerOf, isMet, type Question } from './questions.ts';

/** The rows of one version of the scoring service, under its name. */
export type Run = { name: string; deltas: readonly Deltas[] };

/** A row per question: its goal, what each run shows, and whether the last one meets the goal. */
export function resultsTable(questions: readonly Question[], runs: readonly Run[]): string {
  const rows = questions.map((question) => {
    const answers = runs.map(({ deltas }) => answerOf(question, deltas));
    const last = answers.at(-1);
    return [
      question.name,
      goalText(question),
      ...answers.map(answerText),
      last && isMet(question, last) ? 'met' : 'missed',
    ];
  });
  return formatTable(['in the empty subtitle', 'goal', ...runs.map(({ name }) => name), ''], rows);
}

/** Such as `86.4 % of 140 [79.7, 91.2]`, with the 95 % interval. */
export function answerText({ count, total }: Answer): string {
  if (total === 0) return 'no listing';
  const [low, high] = wilsonInterval(count, total).map(percent);
  return `${percent(count / total)} % of ${total} [${low}, ${high}]`;
}

function goalText({ goal }: Question): string {
  return 'atLeast' in goal
    ? `at least ${Math.round(100 * goal.atLeast)} %`
    : `at most ${Math.round(100 * goal.atMost)} %`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** The standard normal quantile of 97.5 %. */
const z = 1.959964;

/**
 * The 95 % interval of a share by Wilson: the shares from which `count` of `total` would not be surprising, 0 to 1. NaN
 * without any.
 */
export function wilsonInterval(count: number, total: number): [low: number, high: number] {
  const share = count / total;
  const spread = z ** 2 / total;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / total + spread / total / 4);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
