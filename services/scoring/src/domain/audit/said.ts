import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import type { AuditInput } from './audit-input.ts';
import type { TermWords } from './term-words.ts';

/** What the live description proves about a term: that it says all its words prominently, or that it says them. */
const proofs = { prominent: 0.5, once: 0.3 } as const;
/** The description's first words, where an app says what it is. */
export const firstWords = 60;

type Listing = Pick<AuditInput, 'storefront' | 'texts' | 'live_description'>;

/**
 * Returns how much the live description says about a term, 0 to .5; null: nothing is known, or on Google Play a word of the
 * term is in no other field. A draft's own description is never read, so a draft cannot prove itself. (docs/scores.md,
 * relevance)
 * @returns `isCarried`: as if the name or the short description had the term
 */
export function createSaid(
  listing: Listing,
  words: TermWords,
): (keyword: string, isCarried?: boolean) => number | null {
  const { storefront, texts, live_description: description } = listing;
  if (description === null) return () => null;
  const { store } = storefront;
  const limit = listingFields[store].find(({ key }) => key === 'description')?.limit;
  const weights = new Map<string, number>();
  for (const [at, word] of words.wordsIn(description.slice(0, limit)).entries()) {
    const form = words.formOf(word);
    weights.set(form, (weights.get(form) ?? 0) + (at < firstWords ? 2 : 1));
  }
  const carried =
    store === 'GPLAY' &&
    new Set([texts.title, texts.subtitle].flatMap((text) => words.wordsIn(text ?? '')).map(words.formOf));
  return (keyword, isCarried = false) => {
    const content = words.contentOf(keyword);
    if (carried && !isCarried && !content.every((form) => carried.has(form))) return null;
    if (words.isCommon(keyword)) return 0;
    const least = Math.min(...content.map((form) => weights.get(form) ?? 0));
    if (least === 0) return 0;
    return least === 1 ? proofs.once : proofs.prominent;
  };
}
