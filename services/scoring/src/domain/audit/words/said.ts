import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import { auditFields, isAimed } from '../audit-field.ts';
import type { AuditInput } from '../audit-input.ts';
import type { TermWords } from './term-words.ts';

/** What the live description proves about a term: that it says all its words prominently, or that it says them. */
const proofs = { prominent: 0.5, once: 0.3 } as const;
/** The description's first words, where an app says what it is. */
export const firstWords = 60;

type Listing = Pick<AuditInput, 'storefront' | 'texts' | 'live_description'>;

/**
 * Returns how much the live description says about a term, 0 to .5. Null: nothing is known, or on Google Play a word of it is
 * in no other field. A draft's own description is never read, so a draft cannot prove itself. (docs/scores.md, relevance)
 * @returns `isCarried`: as if the name or the short description had the term
 */
export function createSaid(
  listing: Listing,
  words: TermWords,
): (keyword: string, isCarried?: boolean) => number | null {
  const { storefront, texts, live_description: description } = listing;
  if (description === null) return () => null;
  const timesOf = createTimesSaid(storefront.store, description, words);
  const carried =
    storefront.store === 'GPLAY' &&
    new Set(
      auditFields(storefront, { ...texts, description: null })
        .filter(isAimed)
        .flatMap(({ readable }) => words.wordsIn(readable))
        .map(words.formOf),
    );
  return (keyword, isCarried = false) => {
    if (carried && !isCarried && !words.contentOf(keyword).every((form) => carried.has(form))) return null;
    const times = timesOf(keyword);
    if (times === 0) return 0;
    return times === 1 ? proofs.once : proofs.prominent;
  };
}

/**
 * Returns how often a description says a term: as often as the rarest of its content words. The first 60 words count twice.
 * 0: a word is missing, or all are common.
 */
export function createTimesSaid(
  store: Store,
  description: string,
  words: TermWords,
): (keyword: string) => number {
  const times = new Map<string, number>();
  for (const [at, word] of words.wordsIn(description.slice(0, descriptionLimit(store))).entries()) {
    const form = words.formOf(word);
    times.set(form, (times.get(form) ?? 0) + (at < firstWords ? 2 : 1));
  }
  return (keyword) => {
    if (words.isCommon(keyword)) return 0;
    let least = Number.POSITIVE_INFINITY;
    for (const form of words.contentOf(keyword)) least = Math.min(least, times.get(form) ?? 0);
    return least;
  };
}

/** In UTF-16 code units. */
export function descriptionLimit(store: Store): number | undefined {
  return listingFields[store].find(({ key }) => key === 'description')?.limit;
}
