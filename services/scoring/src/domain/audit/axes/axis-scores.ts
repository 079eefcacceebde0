import { isDeepStrictEqual } from 'node:util';
import type { Tier } from '@shelfwise/facts/tiers';
import { roundHalfUp } from '../../curve.ts';
import type { AsoReport } from '../aso-report.ts';
import type { Readiness } from './readiness.ts';

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

export type Range = { min: number; max: number };

/** Of scores as published. */
export type ScoreRanges = { global: Range; coverage: Range; targeting: Range };

/** -100 to 100; null: the delta itself is null. */
export type DeltaBounds = { [Axis in keyof ScoreRanges]: Range | null };

/** The scores of an audit, and how much of what they depend on was read. `ranges`: `scoreRanges`. */
export type ComparedAudit = { scores: AxisScores; readiness: Readiness; ranges: ScoreRanges | null };

/**
 * The draft's scores minus the app's. Appeal depends on no words. Targeting is compared when both audits may be shown and all
 * words of name, subtitle and keywords field are read on both sides, or not believed yet on both. A word that is left out on one
 * side only would look like a change. Phrases may be pending: `deltaBounds`. Coverage and the overall score also need the long description on both sides or
 * on neither.
 */
export function axisDeltas(draft: ComparedAudit, app: ComparedAudit): AxisDeltas {
  const [isTargetingComparable, isCoverageComparable] = comparabilityOf(draft.readiness, app.readiness);
  const differenceOf = (key: keyof AxisScores) => draft.scores[key] - app.scores[key];
  return {
    global: isCoverageComparable ? differenceOf('global') : null,
    coverage: isCoverageComparable ? differenceOf('coverage') : null,
    targeting: isTargetingComparable ? differenceOf('targeting') : null,
    appeal: differenceOf('appeal'),
  };
}

/**
 * The range of the deltas once the pending phrases of both sides are read and nothing else changes. A phrase that both
 * have is treated as two, so that the bounds may be wider than needed. Null: no phrase is pending, or no delta is known.
 */
export function deltaBounds(delta: AxisDeltas, draft: ComparedAudit, app: ComparedAudit): DeltaBounds | null {
  const isPending = draft.ranges !== null || app.ranges !== null;
  if (!isPending || (delta.coverage === null && delta.targeting === null)) return null;
  const boundsOf = (key: keyof ScoreRanges): Range | null => {
    const [drafted, own] = [rangeOf(draft, key), rangeOf(app, key)];
    return delta[key] === null ? null : { min: drafted.min - own.max, max: drafted.max - own.min };
  };
  return { global: boundsOf('global'), coverage: boundsOf('coverage'), targeting: boundsOf('targeting') };
}

function rangeOf({ scores, ranges }: ComparedAudit, key: keyof ScoreRanges): Range {
  return ranges?.[key] ?? { min: scores[key], max: scores[key] };
}

/** Whether both sides leave out the same words because their empty pages are not believed yet. */
export function haveSameUnproven(draft: Readiness, app: Readiness): boolean {
  return isDeepStrictEqual(draft.unproven_words, app.unproven_words);
}

function comparabilityOf(draft: Readiness, app: Readiness): [targeting: boolean, coverage: boolean] {
  const isTargetingComparable =
    [draft, app].every((side) => side.is_shown && side.are_words_read) && haveSameUnproven(draft, app);
  return [isTargetingComparable, isTargetingComparable && draft.has_description === app.has_description];
}
