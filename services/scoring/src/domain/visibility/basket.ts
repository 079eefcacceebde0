import { isSearched, type SearchStatus } from '../keyword/search-status.ts';

/** A term and its weight: its traffic when the basket was drawn, 0 to 100. */
export type BasketTerm = { keyword: string; traffic: number };

/** The terms over which a listing's visibility is computed, fixed so that two days are comparable. */
export type Basket = {
  /** from 1 */
  version: number;
  /** The first UTC day on which it is in force; the first version also applies before its day. */
  from_day: string;
  /** YYYY-MM: the last month for which it was compared with a newly drawn basket. */
  month: string;
  /** False until the first daily audit after the listing's first day; until then each audit redraws the basket. */
  is_fixed: boolean;
  terms: BasketTerm[];
};

/** A term that may be drawn. Null traffic: not measured. */
export type Candidate = { keyword: string; traffic: number | null; searchStatus: SearchStatus };

/** (docs/scores.md, visibility) */
export const maxBasketTerms = 50;

/**
 * Draws a basket: first the tracked terms in their order, then the listing's own searched terms, most traffic first,
 * ties in their order. A term without traffic has no weight and is left out. 50 at most, each once.
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
 * The basket after an audit on a UTC day, given the newest one (null: none yet) and the terms that would be drawn
 * now; the same object if nothing changes. Each audit redraws it until it is fixed, at the first daily audit after
 * the listing's first day that has terms. From then on a new version comes only at the first daily audit of a month,
 * if its terms differ.
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

/**
 * The basket in force on a day: the newest that has started, or else the first; null if there is none. `baskets`:
 * oldest first.
 */
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
