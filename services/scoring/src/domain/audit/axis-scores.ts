import type { Tier } from '@shelfwise/facts/tiers';
import { roundHalfUp } from '../curve.ts';
import type { AsoReport } from './aso-report.ts';

/** The three axes as published: integers, 0 to 100. */
export type Axes = { coverage: number; targeting: number; appeal: number };

/** The scores by which audits are compared. */
export type AxisScores = Axes & { global: number; tier: Tier };

/** -100 to 100 each; null: not comparable. */
export type AxisDeltas = {
  global: number | null;
  coverage: number | null;
  targeting: number | null;
  appeal: number;
};

/**
 * The overall score, 0 to 100: the geometric mean of the three axes, so that an axis at 0 makes it 0. (docs/scores.md)
 */
export function globalOf({ coverage, targeting, appeal }: Axes): number {
  return roundHalfUp(Math.cbrt(coverage * targeting * appeal));
}

/** The scores of a report, by name. */
export function axisScoresOf({ global, tier, axes }: AsoReport): AxisScores {
  const scoreOf = (key: keyof Axes) => axes.find((axis) => axis.key === key)?.score ?? 0;
  return {
    global,
    coverage: scoreOf('coverage'),
    targeting: scoreOf('targeting'),
    appeal: scoreOf('appeal'),
    tier,
  };
}

/**
 * The draft's scores minus the app's. Appeal depends on no words; the other deltas are null unless all terms of both
 * sides are known, because a word that is left out on one side only would look like a change.
 */
export function axisDeltas(draft: AxisScores, app: AxisScores, isComplete: boolean): AxisDeltas {
  return {
    global: isComplete ? draft.global - app.global : null,
    coverage: isComplete ? draft.coverage - app.coverage : null,
    targeting: isComplete ? draft.targeting - app.targeting : null,
    appeal: draft.appeal - app.appeal,
  };
}
