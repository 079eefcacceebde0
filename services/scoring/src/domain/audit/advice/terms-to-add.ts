import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import { round2 } from '../../curve.ts';
import { isRead } from '../../keyword/search-status.ts';
import { isAimed } from '../audit-field.ts';
import type { TermScore, TermsToAdd, TermToAdd, WordSource } from '../audit-input.ts';
import { genreShareOn, minRelevantGain } from '../axes/relevance.ts';
import { isOnFirstPage } from '../axes/term-page.ts';
import type { ReadListing } from '../read-listing.ts';
import { descriptionLimit } from '../words/said.ts';
import { createTrial, type ScoreChange, scoreToTry, type TriedTerm } from './trial.ts';

/** Advice that was made, and whether all candidates were read, so that another audit of the day would advise the same. */
export type Advice = { terms: TermsToAdd; is_complete: boolean };

/** Advice as a listing keeps it. */
export type MadeTermsToAdd = Advice & {
  /** UTC */
  day: string;
  /** Identifies the texts and candidates that it was made from. */
  basis: string;
};

const maxTerms = 10;
/**
 * The share of the app's genre in a term's first ten, if neither the app is among them nor its description has the phrase.
 * Neighbors alone may mislead: a habit tracker ranks for `routine` next to apps for skin care.
 */
const minGenreShare = 0.2;

/**
 * The searched terms that raise the overall score most, as a simulation shows it, by field, at most ten each. Ties go to the
 * larger change before rounding, then to the first normal form. They are chosen among the candidates of the audit and the terms
 * that the account tracks. Left out are terms that raise no score, do not fit, have a brand, are out of reach or not the app's
 * business. So are terms whose words an aimed field or a better term already has.
 * @returns null when none is known, but one may be once all candidates are read
 */
export function termsToAdd(listing: ReadListing): Advice | null {
  const { input, fields } = listing;
  const { candidates } = input;
  if (candidates === null && input.tracked.size === 0) return null;
  const trial = createTrial(listing);
  const isPromising = createIsPromising(listing);
  const carried = new Set(fields.filter(isAimed).flatMap(({ words }) => words.map(({ form }) => form)));
  let isComplete = candidates !== null;
  const useful = [...input.sources].flatMap(([name, source]) => {
    const score = scoreToTry(input, name);
    const isSettled = score !== null && isRead({ searchStatus: score.search_status });
    // Trying a term costs more than all else.
    if (isSettled && !isPromising(name, score)) return [];
    const term = trial(name);
    isComplete &&= term !== null;
    return term && isWithinReach(term) && !areAllIn(carried, term) ? [{ name, source, term }] : [];
  });
  const keys = fields.filter(isAimed).map(({ key }) => key);
  const byField = keys.map((key) => ({ key, found: useful.flatMap((one) => changeIn(key, one)) }));
  const best = bestOfEach(byField.flatMap(({ found }) => found));
  const lists = [...byField, { key: 'any' as const, found: best }].map(
    ({ key, found }) =>
      [key, withoutRepeats(found, carried).map((one) => toTermToAdd(one, input.genre_key))] as const,
  );
  const isKnown = isComplete || lists.some(([, list]) => list.length > 0);
  return isKnown ? { terms: Object.fromEntries(lists), is_complete: isComplete } : null;
}

type TermAdvice = {
  name: string;
  source: WordSource;
  term: TriedTerm;
  field: ListingFieldKey;
  change: ScoreChange;
};

function isWithinReach({ verdict, isForeignBrand }: TriedTerm): boolean {
  return verdict !== 'out-of-reach' && !isForeignBrand;
}

/**
 * Returns whether people search for a term, no brand, and it is the app's business. The words of a phrase may be far apart in a
 * description, or about something else: `restore an old garden` does not say `restore old`.
 */
function createIsPromising({ input, fitOfAdded, words }: ReadListing) {
  const { storefront, live_description: description } = input;
  const said = words.wordsIn((description ?? '').slice(0, descriptionLimit(storefront.store)));
  const saidForms = ` ${said.map(words.formOf).join(' ')} `;
  const isSaid = (name: string) => saidForms.includes(` ${words.formsIn(name).join(' ')} `);
  return (name: string, { search_status: status, brand, page }: TermScore): boolean => {
    const { gain, rank, parts } = fitOfAdded(name);
    if (status !== 'searched' || brand !== null || gain <= minRelevantGain) return false;
    if (isOnFirstPage(rank) || ((parts?.said ?? 0) > 0 && isSaid(name))) return true;
    const genreShare = page && genreShareOn(page, input.genre_key);
    return genreShare === null || genreShare >= minGenreShare;
  };
}

/** The advice to add a term to a field; none if the score does not rise, or falls where it is shown. */
function changeIn(field: ListingFieldKey, one: Pick<TermAdvice, 'name' | 'source' | 'term'>): TermAdvice[] {
  const change = one.term.changeIn(field);
  return change && change.exact > 0 && change.shown >= 0 ? [{ ...one, field, change }] : [];
}

/** Fields that come first win ties. */
function bestOfEach(advice: readonly TermAdvice[]): TermAdvice[] {
  const best = new Map<string, TermAdvice>();
  for (const one of advice) {
    const other = best.get(one.name);
    if (!other || compare(one.change, other.change) < 0) best.set(one.name, one);
  }
  return [...best.values()];
}

/** Those that change more come first. */
function compare(a: ScoreChange, b: ScoreChange): number {
  return b.shown - a.shown || b.exact - a.exact;
}

function withoutRepeats(advice: readonly TermAdvice[], carried: ReadonlySet<string>): TermAdvice[] {
  const known = new Set(carried);
  const chosen: TermAdvice[] = [];
  const sorted = advice.toSorted((a, b) => compare(a.change, b.change) || (a.name < b.name ? -1 : 1));
  for (const one of sorted) {
    if (areAllIn(known, one.term)) continue;
    for (const form of one.term.forms) known.add(form);
    chosen.push(one);
    if (chosen.length === maxTerms) break;
  }
  return chosen;
}

function areAllIn(known: ReadonlySet<string>, { forms }: Pick<TriedTerm, 'forms'>): boolean {
  return forms.every((form) => known.has(form));
}

function toTermToAdd(
  { name, source, field, change, term: { score, fit } }: TermAdvice,
  genreKey: string | null,
): TermToAdd {
  const genreShare = score.page && genreShareOn(score.page, genreKey);
  return {
    name,
    traffic: score.traffic ?? 0,
    difficulty: score.difficulty ?? 0,
    relevance: fit.relevance && round2(fit.relevance),
    scored_at: score.scored_at ?? null,
    source,
    rank: fit.rank,
    genre_share: genreShare && round2(genreShare),
    field,
    global_delta: change.shown,
  };
}
