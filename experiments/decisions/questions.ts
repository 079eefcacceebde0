import type { Deltas } from './audit-subtitles.ts';
import type { Half } from './choose-listings.ts';

/** What the test asks of each listing, and in which share of them it should hold. */
export type Question = {
  name: string;
  /** a share, 0 to 1 */
  goal: { atLeast: number } | { atMost: number };
  /** Null: a subtitle is missing. */
  holds: (deltas: Deltas) => boolean | null;
};

/** How often a question holds among the listings that have its subtitles. */
export type Answer = { count: number; total: number };

/** The goals were set on the even ids; that of the own words is one standard error lower on the odd ones. */
export function questionsFor(half: Half): Question[] {
  return [
    {
      name: 'own words > 0',
      goal: { atLeast: half === 'odd' ? 0.82 : 0.85 },
      holds: ({ own }) => isMore(own, 0),
    },
    {
      name: 'own words > words of the same genre',
      goal: { atLeast: 0.8 },
      holds: ({ own, sameGenre }) => isMore(own, sameGenre),
    },
    {
      name: 'own words > words of another genre',
      goal: { atLeast: 0.95 },
      holds: ({ own, otherGenre }) => isMore(own, otherGenre),
    },
    {
      name: "own words > rivals' names",
      goal: { atLeast: 0.95 },
      holds: ({ own, names }) => isMore(own, names),
    },
    {
      name: 'words of another genre > 0',
      goal: { atMost: 0.1 },
      holds: ({ otherGenre }) => isMore(otherGenre, 0),
    },
    { name: "rivals' names > 0", goal: { atMost: 0.12 }, holds: ({ names }) => isMore(names, 0) },
  ];
}

export function answerOf({ holds }: Question, all: readonly Deltas[]): Answer {
  const known = all.map(holds).filter((held) => held !== null);
  return { count: known.filter(Boolean).length, total: known.length };
}

/** False without any listing. */
export function isMet({ goal }: Question, { count, total }: Answer): boolean {
  return 'atLeast' in goal ? count / total >= goal.atLeast : count / total <= goal.atMost;
}

/** Whether a listing speaks against the goal of a question. */
export function isAgainst({ goal, holds }: Question, deltas: Deltas): boolean {
  return holds(deltas) === !('atLeast' in goal);
}

function isMore(one: number | null, other: number | null): boolean | null {
  return one === null || other === null ? null : one > other;
}
