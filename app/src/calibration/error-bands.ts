import { meanRanks } from './spearman.ts';

/** A term's known value and its score. */
export type ScoredPair = { known: number; score: number };

/** The terms of one fifth of the known values, as `report.json` has them. */
export type ErrorBand = {
  /** the lowest and the highest known value of the band */
  from: number;
  to: number;
  terms: number;
  mean_known: number;
  mean_score: number;
  /** -100 to 100: above 0, the scores of these terms are too high */
  mean_error: number;
  /** 0 to 100 */
  mean_absolute_error: number;
};

const bandCount = 5;

/**
 * The error of each pair, from -100 to 100: the percentile of its score among all scores, minus that of its known value
 * among all known values. Known values may have any scale, so percentiles are compared, not values. At least two pairs.
 */
export function percentileErrors(pairs: readonly ScoredPair[]): number[] {
  const known = percentiles(pairs.map((pair) => pair.known));
  const scores = percentiles(pairs.map((pair) => pair.score));
  return known.map((percentile, index) => (scores[index] ?? Number.NaN) - percentile);
}

/**
 * The errors by fifths of the known values, lowest first. Equal known values are in one band, so that bands may differ
 * in size, and one without terms is left out.
 */
export function errorBands(pairs: readonly ScoredPair[]): ErrorBand[] {
  const known = percentiles(pairs.map((pair) => pair.known));
  const errors = percentileErrors(pairs);
  return Array.from({ length: bandCount }, (_value, band) => {
    const members = pairs.flatMap((pair, index) => {
      const isMember = Math.min(bandCount - 1, Math.floor(((known[index] ?? 0) * bandCount) / 100)) === band;
      return isMember ? [{ ...pair, error: errors[index] ?? Number.NaN }] : [];
    });
    return members;
  })
    .filter((members) => members.length > 0)
    .map((members) => ({
      from: Math.min(...members.map((member) => member.known)),
      to: Math.max(...members.map((member) => member.known)),
      terms: members.length,
      mean_known: mean(members.map((member) => member.known)),
      mean_score: mean(members.map((member) => member.score)),
      mean_error: mean(members.map((member) => member.error)),
      mean_absolute_error: mean(members.map((member) => Math.abs(member.error))),
    }));
}

/** At least one value. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** 0: the lowest value, 100: the highest; equal values share the mean. */
function percentiles(values: readonly number[]): number[] {
  return meanRanks(values).map((rank) => (100 * (rank - 1)) / (values.length - 1));
}
