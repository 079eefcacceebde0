import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { KeywordReading, SuggestionMatch } from './keyword-reading.ts';

/** What is known about a term's suggestions. */
export type KnownSuggestion = {
  /** Null: nothing, so the part is dropped. */
  match: SuggestionMatch | null;
  /** The suggestions are still to be read. */
  isPartial: boolean;
};

/** The least that the suggestions can turn out to be: traffic that is computed with it is a lower bound. */
export const noSuggestion: SuggestionMatch = { kind: 'absent', size: 0 };

/**
 * What is known about a term's suggestions (docs/scores.md, traffic). A reading counts; so does a first look that showed an
 * empty list, until the second one, as no suggestion. Where the store has no autocomplete, there is nothing to wait for.
 */
export function knownSuggestion(reading: KeywordReading, storefront: Storefront): KnownSuggestion {
  const { suggestion, empty_looks: looks } = reading;
  if (suggestion !== null) return { match: suggestion.match, isPartial: false };
  if (hasNoAutocomplete(storefront)) return { match: null, isPartial: false };
  return { match: looks.length > 0 ? noSuggestion : null, isPartial: true };
}
