import type { Draft } from '@shelfwise/proto/scoring/v1/scoring';
import { checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';

/** UTF-16 units of one text, far beyond what a store takes. */
const maxTextLength = 20_000;

/** A draft with at least one text. @throws INVALID_PARAMS without one, and for a text that is too long */
export function checkTexts(draft: Draft | null): Draft {
  const { title, subtitle, description, kw_field } = draft ?? {};
  const texts = Object.entries({ title, subtitle, description, kw_field });
  const sent = texts.filter((entry): entry is [string, string] => entry[1] != null);
  if (sent.length === 0)
    throw invalidParams({ draft: 'must have at least one of title, subtitle, description and kw_field' });
  for (const [key, text] of sent) checkText(key, text, 0, maxTextLength);
  return { title, subtitle, description, kw_field };
}
