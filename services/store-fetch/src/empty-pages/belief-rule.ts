import { dayMs, utcDay } from '@shelfwise/runtime/day';

/** Looks at one term that are closer together count as one. */
const lookDistanceMs = 10 * 60_000;
/** Older looks no longer count. */
const keptMs = 3 * dayMs;
/** More looks are never needed. */
const maxLooks = 3;

/** What is known of a term before its page is empty. */
export type KnownTerm = {
  /** The number of results on the last page that was believed; null: there is none. */
  lastSize: number | null;
  /** Null: it does not matter, or it is not known. */
  isSuggested: boolean | null;
};

/**
 * Whether these looks are enough to believe that a term has no results. Each look found an empty page, and was followed by
 * a canary with results.
 *
 * | the term | looks |
 * |---|---|
 * | had results before, is suggested, or may be | three, on two days |
 * | is not suggested, and its last page was empty | one |
 * | is not suggested, and has no last page | two, ten minutes apart |
 * @param looks oldest first, as `addLook` keeps them
 */
export function areEnoughLooks(looks: readonly Date[], { lastSize, isSuggested }: KnownTerm): boolean {
  if (isSuggested !== false || hadResults(lastSize))
    return looks.length >= maxLooks && new Set(looks.map(utcDay)).size > 1;
  return looks.length >= (lastSize === 0 ? 1 : 2);
}

/** Whether the answer depends on whether the term is suggested, which costs a call to know. */
export function needsSuggestion(looks: readonly Date[], { lastSize }: Pick<KnownTerm, 'lastSize'>): boolean {
  return (
    areEnoughLooks(looks, { lastSize, isSuggested: false }) &&
    !areEnoughLooks(looks, { lastSize, isSuggested: true })
  );
}

/** The looks that still count: those since the last sign that the storefront shows wrong pages, of the last three days. */
export function lookStillValid(looks: readonly Date[], now: Date, lastSignAt: Date | null): Date[] {
  return looks.filter(
    (at) => (lastSignAt === null || at > lastSignAt) && now.getTime() - at.getTime() < keptMs,
  );
}

/** Adds a look, unless the last one was less than ten minutes before. The last three are kept. */
export function addLook(looks: readonly Date[], at: Date): Date[] {
  const last = looks.at(-1);
  if (last && at.getTime() - last.getTime() < lookDistanceMs) return [...looks];
  return [...looks, at].slice(-maxLooks);
}

function hadResults(lastSize: number | null): boolean {
  return lastSize !== null && lastSize > 0;
}

/** Pages with fewer results vary too much: a small one may be empty a day later. */
const minSteadySize = 10;

/** Whether an empty or much smaller page tells of a fault, when the last one had this number of results. Null: there is none. */
export function isSteady(lastSize: number | null): boolean {
  return lastSize !== null && lastSize >= minSteadySize;
}

/** What is remembered of the size of a term's page. `shrunkOn`: the UTC day on which a page was found shrunk, else null. */
export type KnownSize = { lastSize: number | null; shrunkOn: string | null };

/**
 * Whether a page has shrunk by two thirds, and what to remember. On the day of a shrunk page the former size stays, so
 * that a second reading does not make the page healthy. A page that is still small on a later day is small.
 */
export function compareSize(
  { lastSize, shrunkOn }: KnownSize,
  size: number,
  day: string,
): KnownSize & { hasShrunk: boolean } {
  const isSmall = lastSize !== null && isSteady(lastSize) && 3 * size <= lastSize;
  return isSmall && (shrunkOn === null || shrunkOn >= day)
    ? { lastSize, shrunkOn: day, hasShrunk: true }
    : { lastSize: size, shrunkOn: null, hasShrunk: false };
}
