import type { Tier } from '@shelfwise/facts/tiers';
import { roundHalfUp } from '../curve.ts';
import type { AimedTerm } from './aimed-terms.ts';

export type Verdict = 'reachable' | 'ambitious' | 'out-of-reach';

/**
 * By tier: the highest difficulty that is reachable, the highest that is ambitious, and the one that earns half the
 * credit.
 */
const reaches: Readonly<Record<Tier, { reachable: number; ambitious: number; mid: number }>> = {
  1: { reachable: 25, ambitious: 45, mid: 35 },
  2: { reachable: 45, ambitious: 65, mid: 55 },
  3: { reachable: 65, ambitious: 85, mid: 75 },
};

/**
 * In points of difficulty: over twice this, around `mid`, the credit falls from about three quarters to about a
 * quarter.
 */
const softness = 8;

/** A term with a known traffic and difficulty. */
export type GradedTerm = AimedTerm & { traffic: number; difficulty: number };

export function isGraded(term: AimedTerm): term is GradedTerm {
  return term.searchStatus === 'searched' && term.traffic !== null && term.difficulty !== null;
}

/** From the hardest to the easiest. */
const verdicts: readonly Verdict[] = ['out-of-reach', 'ambitious', 'reachable'];

/**
 * Whether an app of this tier can win a term: the better of what the difficulty (0 to 100) and what its own rank say. What
 * an app holds is within its reach: a rank of 10 or better is reachable, of 30 or better ambitious.
 * @param rank from 1; null: not ranked, or not known
 */
export function verdictOf(
  tier: Tier,
  { difficulty, rank }: Pick<GradedTerm, 'difficulty' | 'rank'>,
): Verdict {
  const { reachable, ambitious } = reaches[tier];
  const byDifficulty = stepOf(difficulty, { reachable, ambitious });
  const byRank = rank === null ? 0 : stepOf(rank, { reachable: 10, ambitious: 30 });
  return verdicts[Math.max(byDifficulty, byRank)] as Verdict;
}

/** An index of `verdicts`. */
function stepOf(value: number, { reachable, ambitious }: { reachable: number; ambitious: number }): number {
  if (value <= reachable) return 2;
  return value <= ambitious ? 1 : 0;
}

/**
 * Targeting, 0 to 100: how much of the traffic that the listing aims at is the app's business and can be won at its tier.
 * A term that is not its business costs rather than helps. Only graded terms count; null when there is none.
 * (docs/scores.md, targeting)
 */
export function targetingOf(tier: Tier, terms: readonly AimedTerm[]): number | null {
  let won = 0;
  let aimedAt = 0;
  for (const { traffic, difficulty, gain, rank } of terms.filter(isGraded)) {
    won += traffic * gain * creditOf(tier, { difficulty, rank });
    aimedAt += traffic;
  }
  return aimedAt === 0 ? null : roundHalfUp((100 * won) / aimedAt);
}

/** [worst rank, credit]: what an app already holds. */
const rankCredits = [
  [3, 1],
  [10, 0.9],
  [30, 0.6],
  [100, 0.3],
] as const;

/** 0 to 1: how well an app of this tier can win a term, by the term's difficulty or by its rank, whichever is more. */
export function creditOf(tier: Tier, { difficulty, rank }: Pick<GradedTerm, 'difficulty' | 'rank'>): number {
  const byDifficulty = 1 / (1 + Math.exp((difficulty - reaches[tier].mid) / softness));
  const [, byRank] = rankCredits.find(([worst]) => rank !== null && rank <= worst) ?? [null, 0];
  return Math.max(byDifficulty, byRank);
}
