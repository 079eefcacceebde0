import { type ListingFieldKey, normalizeNewlines } from '@shelfwise/facts/stores/listing-fields';
import type { Draft } from '@shelfwise/proto/scoring/v1/scoring';
import { checkText } from '@shelfwise/runtime/check-request';

/** In UTF-16 units; far more than a store accepts. */
const maxTextLength = 20_000;

const keys: readonly ListingFieldKey[] = ['title', 'subtitle', 'description', 'kw_field'];

/** The texts that were sent, with uniform line ends; a key that is absent was not sent. */
export type SentTexts = Partial<Record<ListingFieldKey, string>>;

/** @throws INVALID_PARAMS for a text that is too long */
export function checkTexts(draft: Draft | null): SentTexts {
  const sent: SentTexts = {};
  for (const key of keys) {
    const text = draft?.[key];
    if (text != null) sent[key] = normalizeNewlines(checkText(key, text, 0, maxTextLength));
  }
  return sent;
}
