import { isSearched, type SearchStatus } from '../keyword/search-status.ts';
import { minBasketTerms } from './visibility.ts';

/**
 * A term and its weight: its traffic when the basket was drawn, 0 to 100. `is_public`: name or subtitle had it then, or the description
 * had it and it fills the basket; absent: neither, or an older version drew it.
 */
export type BasketTerm = { keyword: string; traffic: number; is_public?: boolean };

/** The terms over which a listing's visibility is computed, fixed so that two days are comparable. */
export type Basket = {
  /** from 1 */
  version: number;
  /** The first UTC day on which it is in force; the first version also applies before its day. */
  from_day: string;
  /** YYYY-MM: the last month in which it was drawn, or found to need no new version. */
  month: string;
  /** False until a daily audit after the first day on which the listing is followed; until then each audit redraws. */
  is_fixed: boolean;
  terms: BasketTerm[];
};

/** A term that may be drawn into a basket. Null traffic: not measured. `isBrand`: it names a brand, the own one or a rival's. */
export type Candidate = {
  keyword: string;
  traffic: number | null;
  searchStatus: SearchStatus;
  isBrand: boolean;
};

/** (docs/scores.md, visibility) */
export const maxBasketTerms = 50;

/** How many terms a thin basket is filled up to. Each is read every day. */
export const filledBasketTerms = 10;

type Candidates = {
  tracked: readonly Candidate[];
  /** of the listing's name, subtitle and keywords field */
  own: readonly Candidate[];
};

/**
 * Draws a basket: first the tracked terms in their order, then the listing's own searched terms, most traffic first,
 * ties in their order. A thin one is then filled up to ten with searched terms of the description, in their order. Left out are
 * terms that name a brand, and terms without traffic, which have no weight. 50 at most, each once.
 */
export function drawBasket({
  described,
  ...candidates
}: Candidates & { /** as `chooseDescribedTerms` */ described: readonly Candidate[] }): BasketTerm[] {
  const drawn = drawOwn(candidates);
  if (!isThin(drawn)) return drawn;
  const filling = described.filter(isFilling).map((candidate) => toBasketTerm(candidate, true));
  return draw([...drawn, ...filling], filledBasketTerms);
}

/** Whether the basket would be thin without terms of the description: too few terms for a score. */
export function hasThinBasket(candidates: Candidates): boolean {
  return isThin(drawOwn(candidates));
}

/** Whether a term of the description can fill a basket. */
export function isFilling<T extends Candidate>(candidate: T): candidate is T & { traffic: number } {
  return isSearched(candidate) && isDrawable(candidate);
}

function drawOwn({ tracked, own }: Candidates): BasketTerm[] {
  const searched = own.filter(isSearched).sort((a, b) => (b.traffic ?? 0) - (a.traffic ?? 0));
  const shown = new Set(own.map(({ keyword }) => keyword));
  const drawable = [...tracked, ...searched].filter(isDrawable);
  return draw(
    drawable.map((candidate) => toBasketTerm(candidate, shown.has(candidate.keyword))),
    maxBasketTerms,
  );
}

function toBasketTerm({ keyword, traffic }: BasketTerm, isPublic: boolean): BasketTerm {
  return isPublic ? { keyword, traffic, is_public: true } : { keyword, traffic };
}

function isDrawable<T extends Candidate>(candidate: T): candidate is T & { traffic: number } {
  return candidate.traffic !== null && !candidate.isBrand;
}

function isThin(drawn: readonly BasketTerm[]): boolean {
  return drawn.length < minBasketTerms;
}

/** The first of them, each once. */
function draw(terms: readonly BasketTerm[], max: number): BasketTerm[] {
  const drawn = new Map<string, BasketTerm>();
  for (const term of terms) if (drawn.size < max && !drawn.has(term.keyword)) drawn.set(term.keyword, term);
  return [...drawn.values()];
}

/**
 * The basket after an audit; `newest` itself if nothing changes. Each audit redraws it until a daily audit after
 * `firstDay` fixes it. From then on a new version is made only at the first daily audit of a month, if the keywords
 * differ. A draw without terms never replaces a basket.
 * @param newest the newest version; null: none yet
 * @param drawn the terms that would be drawn now
 * @param audit `day`: the UTC day of the audit; `firstDay`: the UTC day since which the listing is followed
 * @returns null: none yet, and no terms to draw
 */
export function nextBasket(
  newest: Basket | null,
  drawn: BasketTerm[],
  { day, firstDay, isDailyAudit }: { day: string; firstDay: string; isDailyAudit: boolean },
): Basket | null {
  const month = day.slice(0, 7);
  const isFixing = day > firstDay && isDailyAudit;
  if (!newest) {
    if (drawn.length === 0) return null;
    return { version: 1, from_day: firstDay, month, is_fixed: isFixing, terms: drawn };
  }
  if (!newest.is_fixed) {
    const terms = drawn.length > 0 ? drawn : newest.terms;
    const isChanged = isFixing || !isSame(newest.terms, terms);
    return isChanged ? { ...newest, month, is_fixed: isFixing, terms } : newest;
  }
  if (!isDailyAudit || month <= newest.month) return newest;
  if (drawn.length === 0 || hasSameKeywords(newest.terms, drawn)) return { ...newest, month };
  return { version: newest.version + 1, from_day: day, month, is_fixed: true, terms: drawn };
}

/**
 * The basket in force on a UTC day: the newest version that has started by then, else the first version; null if there
 * is none. `baskets`: the versions, oldest first.
 */
export function basketOn(day: string, baskets: readonly Basket[]): Basket | null {
  return baskets.findLast((basket) => basket.from_day <= day) ?? baskets[0] ?? null;
}

function hasSameKeywords(terms: readonly BasketTerm[], others: readonly BasketTerm[]): boolean {
  const keywords = new Set(terms.map(({ keyword }) => keyword));
  return terms.length === others.length && others.every(({ keyword }) => keywords.has(keyword));
}

/** The basket that a new version replaces on this day; null when none begins on it. */
export function replacedOn(day: string, baskets: readonly Basket[]): Basket | null {
  const at = baskets.findLastIndex((basket) => basket.from_day === day);
  return at > 0 ? (baskets[at - 1] ?? null) : null;
}

/** Whether the terms, their order, their weights, and which of them are public, are equal. */
function isSame(terms: readonly BasketTerm[], others: readonly BasketTerm[]): boolean {
  const isSameTerm = ({ keyword, traffic, is_public: isPublic }: BasketTerm, index: number) => {
    const other = others[index];
    return other?.keyword === keyword && other.traffic === traffic && other.is_public === isPublic;
  };
  return terms.length === others.length && terms.every(isSameTerm);
}
