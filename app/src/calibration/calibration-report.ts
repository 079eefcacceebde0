import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { baselines } from './baseline.ts';
import { bootstrapInterval, bootstrapSettings, type Interval } from './bootstrap-interval.ts';
import { type ErrorBand, errorBands, mean, percentileErrors } from './error-bands.ts';
import { type KnownTerm, termKey } from './parse-known-terms.ts';
import { createSpearman } from './spearman.ts';
import { missingScoreReason, type ScoreName, type TermReading } from './term-reading.ts';

/** With fewer terms a correlation says nothing. */
export const leastTerms = 10;

/** A rank correlation, -1 to 1 (of a difference: -2 to 2), and its confidence interval, null when it cannot be computed. */
export type Estimate = { terms: number; value: number; interval: Interval | null };

/** One term of the report. Errors are in percentiles, -100 to 100; null without a score, or with too few terms. */
export type ReportedTerm = {
  term: string;
  store: string;
  country: string;
  lang: string;
  known_value: number;
  score: number | null;
  error: number | null;
  no_score_because: string | null;
};

/** What `report.json` holds. A null is a number that is not given; `problem` says why. */
export type CalibrationReport = {
  score: ScoreName;
  input: { file: string; sha256: string; terms: number };
  /** with a score */
  used_terms: number;
  /** the other terms by reason, the most frequent first */
  without_score: { reason: string; terms: number }[];
  /** why there are no figures; null if there are */
  problem: string | null;
  correlation: Estimate | null;
  baseline: { description: string; correlation: Estimate | null };
  /** correlation of the score minus that of the baseline, over the terms that have both */
  advantage: Estimate | null;
  /** in percentiles, 0 to 100; a random order has about 33 */
  mean_absolute_error: number | null;
  bands: ErrorBand[];
  by_storefront: (Storefront & { terms: number; used_terms: number; correlation: Estimate | null })[];
  /** what the used scores come from; times are ISO 8601 */
  readings: { sources: string[]; scoring_versions: number[]; first: string | null; last: string | null };
  method: typeof bootstrapSettings & { least_terms: number };
  terms: ReportedTerm[];
};

type UsedTerm = { of: KnownTerm; known: number; score: number; reading: TermReading };

/**
 * Compares the scores of terms with their known values. A term without the score is counted with its reason, and in no
 * figure. The same input gives the same report.
 * @param failures why a term has no reading
 */
export function buildReport(options: {
  score: ScoreName;
  input: { file: string; sha256: string };
  terms: readonly KnownTerm[];
  readings: ReadonlyMap<string, TermReading>;
  failures: ReadonlyMap<string, string>;
}): CalibrationReport {
  const { score, input, terms } = options;
  const rows = terms.map((known) => ({ known, ...findScore(known, options) }));
  const used = rows.flatMap(({ known, score: value, reading }) =>
    value === null || reading === null ? [] : [{ of: known, known: known.knownValue, score: value, reading }],
  );
  const problem = findProblem(used);
  const errors = problem === null ? percentileErrors(used) : [];
  const errorOf = new Map(used.map(({ of }, index) => [of, errors[index] ?? null]));
  const baseline = baselines[score];
  return {
    score,
    input: { ...input, terms: terms.length },
    used_terms: used.length,
    without_score: countReasons(rows.flatMap(({ reason }) => (reason === null ? [] : [reason]))),
    problem,
    correlation: problem === null ? correlate(used, (term) => term.score) : null,
    baseline: {
      description: baseline.description,
      correlation: problem === null ? correlate(used, ({ reading }) => baseline.guess(reading)) : null,
    },
    advantage: problem === null ? compare(used, ({ reading }) => baseline.guess(reading)) : null,
    mean_absolute_error: problem === null ? mean(errors.map(Math.abs)) : null,
    bands: problem === null ? errorBands(used) : [],
    by_storefront: byStorefront(terms, used),
    readings: describeReadings(used.map(({ reading }) => reading)),
    method: { ...bootstrapSettings, least_terms: leastTerms },
    terms: rows.map(({ known, score: value, reason }) => ({
      term: known.term,
      ...known.storefront,
      known_value: known.knownValue,
      score: value,
      error: errorOf.get(known) ?? null,
      no_score_because: reason,
    })),
  };
}

function findScore(
  known: KnownTerm,
  { score, readings, failures }: Parameters<typeof buildReport>[0],
): { score: number | null; reading: TermReading | null; reason: string | null } {
  const key = termKey(known);
  const reading = readings.get(key) ?? null;
  if (reading === null) return { score: null, reading, reason: failures.get(key) ?? 'not read' };
  const reason = missingScoreReason(reading, score);
  return { score: reason === null ? reading[score] : null, reading, reason };
}

function findProblem(used: readonly UsedTerm[]): string | null {
  if (used.length < leastTerms)
    return `Too few terms have a score to say anything: ${used.length}; at least ${leastTerms} are needed.`;
  if (new Set(used.map(({ known }) => known)).size === 1)
    return 'All known values are equal: there is no order to compare.';
  if (new Set(used.map(({ score }) => score)).size === 1)
    return 'All scores are equal: there is no order to compare.';
  return null;
}

/** Null when fewer than `leastTerms` terms have the number, or all numbers are equal. */
function correlate(used: readonly UsedTerm[], number: (term: UsedTerm) => number | null): Estimate | null {
  const pairs = withNumber(used, number);
  const correlation = createSpearman(
    pairs.map(({ known }) => known),
    pairs.map((pair) => pair.number),
  );
  return estimate(pairs.length, correlation);
}

/** How much better the score is than the guess. Both are drawn together, because they are about the same terms. */
function compare(used: readonly UsedTerm[], guess: (term: UsedTerm) => number | null): Estimate | null {
  const pairs = withNumber(used, guess);
  const known = pairs.map((pair) => pair.known);
  const ofScore = createSpearman(
    known,
    pairs.map(({ score }) => score),
  );
  const ofGuess = createSpearman(
    known,
    pairs.map((pair) => pair.number),
  );
  return estimate(pairs.length, (counts) => {
    const [own, guessed] = [ofScore(counts), ofGuess(counts)];
    return own === null || guessed === null ? null : own - guessed;
  });
}

function withNumber(used: readonly UsedTerm[], number: (term: UsedTerm) => number | null) {
  return used.flatMap((term) => {
    const value = number(term);
    return value === null ? [] : [{ known: term.known, score: term.score, number: value }];
  });
}

function estimate(terms: number, statistic: (counts: ArrayLike<number>) => number | null): Estimate | null {
  if (terms < leastTerms) return null;
  const value = statistic(new Uint32Array(terms).fill(1));
  return value === null ? null : { terms, value, interval: bootstrapInterval(terms, statistic) };
}

function countReasons(reasons: readonly string[]): { reason: string; terms: number }[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, terms]) => ({ reason, terms })).sort((a, b) => b.terms - a.terms);
}

function byStorefront(
  terms: readonly KnownTerm[],
  used: readonly UsedTerm[],
): CalibrationReport['by_storefront'] {
  const storefronts = new Map(terms.map(({ storefront }) => [storefrontKey(storefront), storefront]));
  return [...storefronts].map(([key, storefront]) => {
    const own = used.filter(({ reading }) => storefrontKey(reading.storefront) === key);
    return {
      ...storefront,
      terms: terms.filter((term) => storefrontKey(term.storefront) === key).length,
      used_terms: own.length,
      correlation: correlate(own, ({ score }) => score),
    };
  });
}

function describeReadings(readings: readonly TermReading[]): CalibrationReport['readings'] {
  const times = readings.flatMap(({ read_at: readAt }) => (readAt === null ? [] : [readAt])).sort();
  return {
    sources: [...new Set(readings.map(({ source }) => source))].sort(),
    scoring_versions: [...new Set(readings.map((reading) => reading.scoring_version))].sort((a, b) => a - b),
    first: times[0] ?? null,
    last: times.at(-1) ?? null,
  };
}
