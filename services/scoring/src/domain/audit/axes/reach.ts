import type { Tier } from '@shelfwise/facts/tiers';

export type Verdict = 'reachable' | 'ambitious' | 'out-of-reach';

/** A term as an app of some tier meets it. */
type Contest = {
  /** 0 to 100 */
  difficulty: number;
  /** of the app, from 1; null: not ranked, or not known */
  rank: number | null;
};

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

/** From the hardest to the easiest. */
const verdicts: readonly Verdict[] = ['out-of-reach', 'ambitious', 'reachable'];

/**
 * Whether an app of this tier can win a term: the better of what the difficulty and what its own rank say. What an app
 * holds is within its reach: a rank of 10 or better is reachable, of 30 or better ambitious. What is not winnable is out of
 * reach.
 */
export function verdictOf(tier: Tier, { difficulty, rank }: Contest, isWinnable: boolean): Verdict {
  if (!isWinnable) return 'out-of-reach';
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

/** [worst rank, credit]: what an app already holds. */
const rankCredits = [
  [3, 1],
  [10, 0.9],
  [30, 0.6],
  [100, 0.3],
] as const;

/** 0 to 1: how well an app of this tier can win a term, by the term's difficulty or by its rank, whichever is more. */
export function creditOf(tier: Tier, { difficulty, rank }: Contest): number {
  const byDifficulty = 1 / (1 + Math.exp((difficulty - reaches[tier].mid) / softness));
  const [, byRank] = rankCredits.find(([worst]) => rank !== null && rank <= worst) ?? [null, 0];
  return Math.max(byDifficulty, byRank);
}
