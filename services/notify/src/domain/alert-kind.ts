import {
  type AlertKind,
  type ChartKind,
  chartKinds,
  keywordKinds,
  type RankKind,
  rankKinds,
  thresholds,
  wholeAccountKinds,
} from '@shelfwise/facts/alerts/alert-kinds';
import { invalidParams } from '@shelfwise/runtime/errors';

/** The kinds of the rules that a new account has. An account is given a kind that is added here once, too. */
export const defaultKinds: readonly AlertKind[] = [
  'rank_drop',
  'left_top',
  'listing_changed',
  'store_blocked',
];

/** Whether a rule of this kind names no application. */
export function isWholeAccountKind(kind: AlertKind): boolean {
  return (wholeAccountKinds as readonly AlertKind[]).includes(kind);
}

/**
 * The threshold of a rule of this kind: the one that is asked for, or the usual one. Null for a kind without one.
 * @throws INVALID_PARAMS when it is out of range, or the kind has none
 */
export function checkThreshold(kind: AlertKind, asked: number | null | undefined): number | null {
  const range = thresholds[kind];
  if (asked == null) return range?.usual ?? null;
  if (range === null) throw invalidParams({ threshold: `a rule of the kind ${kind} has none` });
  const { min, max, step } = range;
  const isStep = step === null ? Number.isFinite(asked) : asked % step === 0;
  if (!(asked >= min && asked <= max && isStep))
    throw invalidParams({
      threshold: `of ${kind} must be a ${step === null ? '' : 'whole '}number from ${min} to ${max}${step !== null && step > 1 ? `, a multiple of ${step}` : ''}`,
    });
  return asked;
}

/** Whether a rule of this kind may look at some keywords only. */
export function isKeywordKind(kind: AlertKind): boolean {
  return (keywordKinds as readonly AlertKind[]).includes(kind);
}

export function isChartKind(kind: AlertKind): kind is ChartKind {
  return (chartKinds as readonly AlertKind[]).includes(kind);
}

export function isRankKind(kind: AlertKind): kind is RankKind {
  return (rankKinds as readonly AlertKind[]).includes(kind);
}
