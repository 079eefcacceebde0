import { type ListingFieldKey, normalizeNewlines } from '@shelfwise/facts/listing-fields';
import type { Draft } from '@shelfwise/proto/scoring/v1/scoring';
import { checkText } from '@shelfwise/runtime/check-request';

/** UTF-16 units of one text, far beyond what a store takes. */
const maxTextLength = 20_000;

/** The texts that were sent, with line ends made one; a key that is absent was not sent. */
export type SentTexts = Partial<Record<ListingFieldKey, string>>;

/** @throws INVALID_PARAMS for a text that is too long */
export function checkTexts(draft: Draft | null): SentTexts {
  const { title, subtitle, description, kw_field: kwField } = draft ?? {};
  const sent: SentTexts = {};
  for (const [key, text] of Object.entries({ title, subtitle, description, kw_field: kwField }))
    if (text != null)
      sent[key as ListingFieldKey] = normalizeNewlines(checkText(key, text, 0, maxTextLength));
  return sent;
}
