import { isSearched, type SearchStatus } from '../keyword/search-status.ts';

/** A term and what it weighs: its traffic when the basket was drawn, 0 to 100. */
export type BasketTerm = { keyword: string; traffic: number };

/** The terms over which a listing's visibility is taken, so that two days compare. */
export type Basket = {
  /** from 1 */
  version: number;
  /** The UTC day from which on it is in force; the first version is in force before its own, too. */
  from_day: string;
  /** YYYY-MM: the last month at whose beginning it was compared with what would be drawn then. */
  month: string;
  /** False until the first daily audit of a later day than its first: until then it is drawn anew at each audit. */
  is_fixed: boolean;
  terms: BasketTerm[];
};

/** What is known of a term that may be drawn. Null: not measured. */
export type Candidate = { keyword: string; traffic: number | null; searchStatus: SearchStatus };

/** (spec: scoring, visibility) */
export const maxBasketTerms = 50;

/**
 * Draws a basket: first the tracked terms, in their order, then the listing's own searched ones, most traffic first, of
 * equal traffic in their order. A term without traffic cannot be weighed and is left out. 50 at most, each once.
 */
export function drawBasket(candidates: {
  tracked: readonly Candidate[];
  own: readonly Candidate[];
}): BasketTerm[] {
  const own = candidates.own.filter(isSearched).sort((a, b) => (b.traffic ?? 0) - (a.traffic ?? 0));
  const drawn = new Map<string, BasketTerm>();
  for (const { keyword, traffic } of [...candidates.tracked, ...own])
    if (traffic !== null && drawn.size < maxBasketTerms && !drawn.has(keyword))
      drawn.set(keyword, { keyword, traffic });
  return [...drawn.values()];
}

/**
 * The basket after an audit on a UTC day, given the newest one (null: none yet) and what would be drawn now; the same
 * object when nothing changes. It is drawn anew each time until it is fixed, at the first daily audit of a later day than
 * the listing's first that has something to draw. From then on a new version comes at the first daily audit of a month only, when its terms differ.
 */
export function nextBasket(
  known: Basket | null,
  drawn: BasketTerm[],
  { day, firstDay, isDailyAudit }: { day: string; firstDay: string; isDailyAudit: boolean },
): Basket | null {
  const month = day.slice(0, 7);
  const isFixing = day > firstDay && isDailyAudit;
  if (!known) {
    if (drawn.length === 0) return null;
    return { version: 1, from_day: firstDay, month, is_fixed: isFixing, terms: drawn };
  }
  if (!known.is_fixed) {
    const terms = drawn.length > 0 ? drawn : known.terms;
    const isChanged = isFixing || !isSame(known.terms, terms);
    return isChanged ? { ...known, month, is_fixed: isFixing, terms } : known;
  }
  if (!isDailyAudit || month <= known.month) return known;
  if (drawn.length === 0 || hasSameKeywords(known.terms, drawn)) return { ...known, month };
  return { version: known.version + 1, from_day: day, month, is_fixed: true, terms: drawn };
}

/** The basket in force on a day: the newest whose days have begun, or the first. Oldest first; null when there is none. */
export function basketOn(day: string, baskets: readonly Basket[]): Basket | null {
  return baskets.findLast((basket) => basket.from_day <= day) ?? baskets[0] ?? null;
}

function hasSameKeywords(terms: readonly BasketTerm[], others: readonly BasketTerm[]): boolean {
  const keywords = new Set(terms.map(({ keyword }) => keyword));
  return terms.length === others.length && others.every(({ keyword }) => keywords.has(keyword));
}

function isSame(terms: readonly BasketTerm[], others: readonly BasketTerm[]): boolean {
  const isSameTerm = ({ keyword, traffic }: BasketTerm, index: number) =>
    others[index]?.keyword === keyword && others[index].traffic === traffic;
  return terms.length === others.length && terms.every(isSameTerm);
}
