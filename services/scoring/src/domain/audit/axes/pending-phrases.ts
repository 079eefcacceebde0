import { isRead } from '../../keyword/search-status.ts';
import type { ReadListing } from '../read-listing.ts';
import type { AimedTerm } from './aimed-terms.ts';

type Aiming = Pick<ReadListing, 'fields' | 'aimed'>;

/**
 * The phrases of the name, subtitle and keywords field that are not read yet. What an indexed field also has as a single word
 * (some scripts have no spaces) is a word.
 */
export function pendingPhrases({ fields, aimed }: Aiming): AimedTerm[] {
  const words = new Set(fields.flatMap((field) => field.words.map(({ name }) => name)));
  return aimed.filter((term) => !isRead(term) && !words.has(term.name));
}
