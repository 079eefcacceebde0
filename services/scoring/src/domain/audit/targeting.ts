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

/** Whether an app of this tier can win a term of this difficulty (0 to 100). */
export function verdictOf(tier: Tier, difficulty: number): Verdict {
  const { reachable, ambitious } = reaches[tier];
  if (difficulty <= reachable) return 'reachable';
  return difficulty <= ambitious ? 'ambitious' : 'out-of-reach';
}

/**
 * Targeting, 0 to 100: how much of the traffic that the listing aims at can be won at its tier. Only graded terms
 * count; null when there is none. (docs/scores.md, targeting)
 */
export function targetingOf(tier: Tier, terms: readonly AimedTerm[]): number | null {
  let won = 0;
  let aimedAt = 0;
  for (const { traffic, difficulty } of terms.filter(isGraded)) {
    won += traffic * creditOf(tier, difficulty);
    aimedAt += traffic;
  }
  return aimedAt === 0 ? null : roundHalfUp((100 * won) / aimedAt);
}

/** 0 to 1 */
function creditOf(tier: Tier, difficulty: number): number {
  return 1 / (1 + Math.exp((difficulty - reaches[tier].mid) / softness));
}
