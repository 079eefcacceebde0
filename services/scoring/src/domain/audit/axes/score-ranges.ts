import type { Store } from '@shelfwise/facts/stores/store';
import { roundHalfUp } from '../../curve.ts';
import { type AuditInput, unmeasured } from '../audit-input.ts';
import { type ListingSplit, type ReadListing, readListing, splitListing } from '../read-listing.ts';
import type { AimedTerm } from './aimed-terms.ts';
import { appealOf } from './appeal.ts';
import { globalOf, type Range, type ScoreRanges } from './axis-scores.ts';
import { brandRoleOf } from './brand-role.ts';
import { exactCoverageOf, type FieldCoverage, fieldCoverage } from './coverage.ts';
import { withPartialPending } from './partial-terms.ts';
import { pendingPhrases } from './pending-phrases.ts';
import { targetingScoreOf } from './targeting.ts';
import type { TermFit } from './term-fit.ts';
import { isEarning, isOwnWord } from './word-table.ts';

/** What a pending phrase may prove to be. All are searched as much as a term can be; an unsearched phrase is never beyond them. */
type Outcome = 'worthless' | 'ideal' | 'own-brand';

const outcomes: Readonly<Record<Outcome, TermFit>> = {
  worthless: { relevance: 0, parts: null, gain: 0, rank: null, brandRole: 'rival' },
  ideal: { relevance: 1, parts: null, gain: 1, rank: 1, brandRole: null },
  'own-brand': { relevance: 1, parts: null, gain: 1, rank: 1, brandRole: 'own' },
};

/**
 * The least and the most that the scores of an app's listing can be once its pending phrases are read and nothing else changes.
 * The phrases may prove to be searched or not, with any traffic, difficulty, gain and brand. Null: no phrase is pending.
 *
 * A higher gain or credit of a phrase, and what it lends to its words, never lower coverage or targeting, with two exceptions:
 * - The own brand takes all words inside the phrase under its limit of 100. Then the words bring 100 at most, together with
 *   what the worthless outcome costs; and not even a word that takes no lift is lost.
 * - Where a field has a word in two spellings, the lift decides which one is credited. The characters of such a word are
 *   bounded by none and by the longest spelling.
 *
 * `global` grows with both axes, so its bounds are those of the rounded axes.
 * @param given with an app and its neighbors
 */
export function scoreRanges(given: AuditInput): ScoreRanges | null {
  const input = withPartialPending(given);
  const split = splitListing(input);
  const phrases = pendingPhrases(readListing(input, split));
  if (phrases.length === 0) return null;
  const mayBeOwnBrand = new Set(phrases.filter(({ name }) => isBrandOpen(input, name)));
  const listingWith = (outcome: Outcome, ofBrand: Outcome = outcome) =>
    readWith(input, split, phrases, (phrase) => (mayBeOwnBrand.has(phrase) ? ofBrand : outcome));
  const [worst, best] = [listingWith('worthless'), listingWith('ideal')];
  const isBranded = mayBeOwnBrand.size > 0;
  const [worstBranded, bestBranded] = isBranded
    ? [listingWith('worthless', 'own-brand'), listingWith('ideal', 'own-brand')]
    : [worst, best];
  const coverage = coverageRange(input.storefront.store, phrases, { worst, best });
  const targeting = {
    min: roundHalfUp(
      Math.min(
        targetingScoreOf(sumsOf(worst)),
        targetingScoreOf({ won: sumsOf(worstBranded).won, lost: sumsOf(worst).lost }),
      ),
    ),
    max: roundHalfUp(targetingScoreOf({ won: sumsOf(best).won, lost: sumsOf(bestBranded).lost })),
  };
  const appeal = appealOf(input.storefront.store, input.context);
  const globalAt = (bound: keyof Range) =>
    globalOf({ coverage: coverage[bound], targeting: targeting[bound], appeal });
  return { global: { min: globalAt('min'), max: globalAt('max') }, coverage, targeting };
}

/** Whether it is not known yet if a term names a brand of the app, or it does. */
function isBrandOpen(input: AuditInput, name: string): boolean {
  const term = input.terms.get(name);
  return term?.results == null || brandRoleOf(term, input) === 'own';
}

/** The listing as if its pending phrases were read. A page that is known already stays. */
function readWith(
  input: AuditInput,
  split: ListingSplit,
  phrases: readonly AimedTerm[],
  outcomeOf: (phrase: AimedTerm) => Outcome,
): ReadListing {
  const terms = new Map(input.terms);
  const formRanks = new Map(input.form_ranks);
  const fits = new Map<string, TermFit>();
  for (const phrase of phrases) {
    const fit = outcomes[outcomeOf(phrase)];
    fits.set(phrase.name, fit);
    const page = input.terms.get(phrase.name)?.page ?? null;
    // The app's rank on the page is also that of the phrase's other forms.
    if (page === null && fit.rank === 1) formRanks.set(phrase.form, 1);
    terms.set(phrase.name, {
      ...unmeasured,
      traffic: 100,
      difficulty: fit.rank === 1 ? 0 : 100,
      search_status: 'searched',
      page: page ?? { app_ids: [], genres: null },
    });
  }
  return readListing({ ...input, terms, form_ranks: formRanks }, split, fits);
}

function sumsOf({ amounts }: ReadListing): { won: number; lost: number } {
  return amounts ?? { won: 0, lost: 0 };
}

function coverageRange(
  store: Store,
  phrases: readonly AimedTerm[],
  { worst, best }: { worst: ReadListing; best: ReadListing },
): Range {
  const forms = new Set(phrases.flatMap(({ form, words }) => [form, ...words]));
  const least = withSpellings(store, worst.fields, forms, () => '');
  const most = withSpellings(store, best.fields, forms, longestOf);
  return {
    min: roundHalfUp(exactCoverageOf(store, least)),
    max: roundHalfUp(exactCoverageOf(store, most)),
  };
}

function longestOf(names: readonly string[]): string {
  return names.reduce((longest, name) => (name.length > longest.length ? name : longest), '');
}

/** The fields with another spelling of each earning word of these forms that has several in its field. */
function withSpellings(
  store: Store,
  fields: readonly FieldCoverage[],
  forms: ReadonlySet<string>,
  choose: (names: readonly string[]) => string,
): FieldCoverage[] {
  return fields.map((field) => {
    const words = field.words.map((word) => {
      if (!forms.has(word.form) || !isEarning(word)) return word;
      const same = field.words.filter((other) => other.form === word.form && isOwnWord(other));
      return same.length > 1 ? { ...word, name: choose(same.map(({ name }) => name)) } : word;
    });
    return fieldCoverage(store, field, words);
  });
}
