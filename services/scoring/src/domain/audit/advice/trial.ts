import { countUnits, type ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import { wordsOf } from '@shelfwise/facts/text/words';
import { roundHalfUp } from '../../curve.ts';
import { isRead } from '../../keyword/search-status.ts';
import { isAimed } from '../audit-field.ts';
import type { AuditInput, TermScore } from '../audit-input.ts';
import { aimedTerm } from '../axes/aimed-terms.ts';
import { appealOf } from '../axes/appeal.ts';
import { type Axes, globalOf } from '../axes/axis-scores.ts';
import { exactCoverageOf, type FieldCoverage, fieldCoverage } from '../axes/coverage.ts';
import type { Verdict } from '../axes/reach.ts';
import { createTargetingTrial } from '../axes/targeting.ts';
import type { TermFit } from '../axes/term-fit.ts';
import type { WordRow } from '../axes/word-table.ts';
import type { ReadListing } from '../read-listing.ts';
import { maxTerms, termsIn } from '../words/listing-terms.ts';

/** How much a term changes the overall score of a listing. */
export type ScoreChange = {
  /** as a simulation shows it, -100 to 100 */
  shown: number;
  /** before any rounding */
  exact: number;
};

/** A term that the listing could add, if all its words and phrases are read. */
export type TriedTerm = {
  score: TermScore;
  fit: TermFit;
  verdict: Verdict;
  /** The forms of its words. */
  forms: readonly string[];
  /** It or a word or phrase of it is the brand of another developer, or may be. */
  isForeignBrand: boolean;
  /**
   * What changes if the term follows the text of a field, after a comma: the words and phrases of the text stay the same. Null:
   * the field is not known, or has no room for it.
   */
  changeIn: (field: ListingFieldKey) => ScoreChange | null;
};

/**
 * Returns what a simulation would show for terms that a listing adds, each alone, from what each adds: the texts are not read
 * again. Null: a word or phrase of the term is not read, or a listing cannot aim at it, because it has too many words.
 */
export function createTrial(listing: ReadListing): (keyword: string) => TriedTerm | null {
  const { input, fields, aimed, tier, amounts, fitOfAdded, words: termWords } = listing;
  const { store, lang } = input.storefront;
  const appeal = appealOf(store, input.context);
  const before: Axes = {
    coverage: exactCoverageOf(store, fields),
    targeting: amounts?.score ?? 0,
    appeal,
  };
  const aimedNames = new Set(aimed.map(({ name }) => name));
  const targetingWith = createTargetingTrial(tier, aimed);

  /** Null: one is not read. */
  function readParts(keyword: string): Map<string, TermScore> | null {
    const parts = new Map<string, TermScore>();
    for (const part of termsIn(keyword, lang)) {
      const score = scoreToTry(input, part);
      if (score === null || !isRead({ searchStatus: score.search_status })) return null;
      parts.set(part, score);
    }
    return parts;
  }

  function isForeign(keyword: string, { brand, suspected_brand: suspected }: TermScore): boolean {
    return (brand ?? suspected) !== null && fitOfAdded(keyword).brandRole !== 'own';
  }

  return (keyword) => {
    const parts = readParts(keyword) ?? unread;
    const score = parts.get(keyword);
    if (!score) return null;
    const added = [...parts].filter(([part]) => !aimedNames.has(part));
    // A listing reads no more terms than these (`listingTerms`).
    if (aimed.length + added.length > maxTerms.indexed) return null;
    const fits = { fitOf: fitOfAdded, words: termWords };
    const targeting = targetingWith(added.map(([part, term]) => aimedTerm(part, 'title', term, fits)));
    const words = wordsOf(keyword, lang);
    const forms = words.map(termWords.formOf);

    function changeIn(key: ListingFieldKey): ScoreChange | null {
      const field = fields.find((one) => one.key === key);
      if (!field || !hasRoomFor(field, keyword)) return null;
      const tables = listing.tablesWith({ field: key, words, parts, fitOf: fitOfAdded });
      const fieldsAfter = fields.map((one) => {
        const rows = tables.get(one.key);
        if (!rows) return one;
        return fieldCoverage(store, one, isAimed(one) ? rows : describedWith(one, rows));
      });
      return changeBetween(before, {
        coverage: exactCoverageOf(store, fieldsAfter),
        targeting: targeting.score,
        appeal,
      });
    }

    /** The description with other rows of the words that the term has. */
    function describedWith(field: FieldCoverage, rows: readonly WordRow[]): WordRow[] {
      const others = field.words.filter((row) => !forms.includes(row.form));
      return [...others, ...rows.filter(({ status }) => status !== 'missing')];
    }

    return {
      score,
      fit: fitOfAdded(keyword),
      verdict: targeting.amountOf(keyword)?.verdict ?? 'out-of-reach',
      forms,
      isForeignBrand: [...parts].some(([part, term]) => isForeign(part, term)),
      changeIn,
    };
  };
}

/** The scores of a term of the listing, of a candidate or of a term that an account tracks; null: not known. */
export function scoreToTry({ terms, candidates, tracked }: AuditInput, keyword: string): TermScore | null {
  return terms.get(keyword) ?? candidates?.get(keyword) ?? tracked.get(keyword) ?? null;
}

const unread: ReadonlyMap<string, TermScore> = new Map();

/** The characters between the text of a field and a term that follows it. */
const separatorUnits: Readonly<Partial<Record<ListingFieldKey, number>>> = { kw_field: 1 };
const usualSeparatorUnits = 2;

function hasRoomFor({ key, state, text, limit }: FieldCoverage, keyword: string): boolean {
  if (state === 'missing') return false;
  const used = state === 'empty' ? 0 : countUnits(text) + (separatorUnits[key] ?? usualSeparatorUnits);
  return used + countUnits(keyword) <= limit;
}

function changeBetween(before: Axes, after: Axes): ScoreChange {
  return {
    shown: globalOf(rounded(after)) - globalOf(rounded(before)),
    exact: exactGlobalOf(after) - exactGlobalOf(before),
  };
}

function rounded({ coverage, targeting, appeal }: Axes): Axes {
  return { coverage: roundHalfUp(coverage), targeting: roundHalfUp(targeting), appeal };
}

function exactGlobalOf({ coverage, targeting, appeal }: Axes): number {
  return Math.cbrt(coverage * targeting * appeal);
}
