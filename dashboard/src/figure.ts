/**
 * A number as a page shows it, with what is known about it. Pages have no other numbers: `Model` refuses them. What is missing
 * says why, and is never 0.
 */
export type Figure =
  | { state: 'known'; value: number }
  /** being read or computed */
  | { state: 'pending' }
  /** the app is not among the results that were read: the first `depth`; on an earlier `day` when they are stale */
  | { state: 'not_ranked'; depth: number; day: string | null }
  /** of an earlier UTC day */
  | { state: 'stale'; value: number; day: string }
  /** some inputs are not known yet */
  | { state: 'partial'; value: number }
  /** the store refuses to be read; the last value, if there is one, is of `day` */
  | { state: 'blocked'; value: number | null; day: string | null }
  | { state: 'unknown'; reason: Unknown }
  | { state: 'not_applicable' };

/** Why a figure is not known. */
export type Unknown =
  /** the store does not publish it */
  | 'not_published'
  /** there is no earlier day to compare with */
  | 'no_earlier_day'
  /** the day to compare with was not read */
  | 'day_not_read'
  /** the app did not rank on both days */
  | 'no_rank'
  /** too little was read that day */
  | 'too_little_read'
  /** too few words are read on one of the sides, or there is none */
  | 'not_compared'
  /** too few terms */
  | 'too_few_terms'
  /** no result page was read */
  | 'not_read'
  /** more rows than a page reads */
  | 'too_many'
  /** a part of Shelfwise did not answer */
  | 'no_answer'
  /** it is older than the history of the plan */
  | 'not_in_plan'
  /** what it would be compared with has another scoring version */
  | 'other_version'
  /** words that count are not read yet */
  | 'words_missing';

/**
 * The data of a page, inside its HTML. A number that is not a `Figure` does not compile: ids are texts. `false` and null are
 * shown by words.
 */
export type Model<Shape> = NumberOutsideFigure<Shape> extends never ? Shape : { error: 'a bare number' };

type NumberOutsideFigure<Shape> = Shape extends Figure
  ? never
  : Shape extends number
    ? Shape
    : Shape extends readonly (infer Item)[]
      ? NumberOutsideFigure<Item>
      : Shape extends object
        ? { [Key in keyof Shape]: NumberOutsideFigure<Shape[Key]> }[keyof Shape]
        : never;

export const pending: Figure = { state: 'pending' };

export const known = (value: number): Figure => ({ state: 'known', value });

export const unknown = (reason: Unknown): Figure => ({ state: 'unknown', reason });

/** A number that may be missing for a known reason. */
export function knownOr(value: number | null, reason: Unknown): Figure {
  return value === null ? unknown(reason) : known(value);
}

/** How old a rank is, for what a page says of it. */
export type RankAge = 'fresh' | 'stale' | 'blocked';

/**
 * A rank from a snapshot of `day`. `depth`: how many results the snapshot has, at most 100. `age` blocked: the store refuses to be
 * read since.
 */
export function rankFigure(
  rank: number | null,
  { depth, day, age }: { depth: number; day: string; age: RankAge },
): Figure {
  if (rank === null) return { state: 'not_ranked', depth, day: age === 'fresh' ? null : day };
  return age === 'fresh' ? known(rank) : { state: age, value: rank, day };
}

/** A keyword's score, 0 to 100. Null: it is being measured, which a blocked store prevents. */
export function scoreFigure(
  score: number | null,
  { isPartial, isBlocked }: { isPartial: boolean; isBlocked: boolean },
): Figure {
  if (score === null) return isBlocked ? { state: 'blocked', value: null, day: null } : pending;
  return isPartial ? { state: 'partial', value: score } : known(score);
}

/** Whether a list has a change to show: on the first day, each says the same. */
export function hasEarlierDay(changes: readonly Figure[]): boolean {
  return changes.some((change) => change.state !== 'unknown' || change.reason !== 'no_earlier_day');
}

/** The number to sort by, or null for what has none. */
export function numberOf(figure: Figure): number | null {
  return 'value' in figure ? figure.value : null;
}
