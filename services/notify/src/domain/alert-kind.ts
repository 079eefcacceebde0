import { invalidParams } from '@shelfwise/runtime/errors';

/** The kinds of rules about the ranks of tracked keywords. */
export const rankKinds = ['rank_drop', 'rank_rise', 'entered_top', 'left_top', 'overtaken'] as const;
/** The kinds of rules about listings. */
export const listingKinds = ['listing_changed', 'rating_drop'] as const;

export const alertKinds = [...rankKinds, ...listingKinds] as const;

export type RankKind = (typeof rankKinds)[number];
export type ListingKind = (typeof listingKinds)[number];
/** What a rule looks for. */
export type AlertKind = (typeof alertKinds)[number];

/** The threshold of a kind: its default, and its range with both ends. */
type Threshold = { usual: number; min: number; max: number; isWhole: boolean };

const places: Threshold = { usual: 5, min: 1, max: 100, isWhole: true };
const depth: Threshold = { usual: 10, min: 1, max: 100, isWhole: true };
const stars: Threshold = { usual: 0.1, min: 0.01, max: 4, isWhole: false };

/** Null: the kind has no threshold. */
export const thresholds: Readonly<Record<AlertKind, Threshold | null>> = {
  rank_drop: places,
  rank_rise: places,
  entered_top: depth,
  left_top: depth,
  overtaken: null,
  listing_changed: null,
  rating_drop: stars,
};

/** The kinds of the rules that a new account has. */
export const defaultKinds = ['rank_drop', 'left_top', 'listing_changed'] as const satisfies AlertKind[];

/**
 * The threshold of a rule of this kind: the one that is asked for, or the usual one. Null for a kind without one.
 * @throws INVALID_PARAMS when it is out of range, or the kind has none
 */
export function checkThreshold(kind: AlertKind, asked: number | null | undefined): number | null {
  const range = thresholds[kind];
  if (asked == null) return range?.usual ?? null;
  if (range === null) throw invalidParams({ threshold: `a rule of the kind ${kind} has none` });
  const { min, max, isWhole } = range;
  if (asked < min || asked > max || !Number.isFinite(asked) || (isWhole && !Number.isInteger(asked)))
    throw invalidParams({
      threshold: `of ${kind} must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`,
    });
  return asked;
}

export function isRankKind(kind: AlertKind): kind is RankKind {
  return (rankKinds as readonly AlertKind[]).includes(kind);
}
