import type { ListingField } from '@shelfwise/facts/stores/listing-fields';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { checkCapitals } from './check-capitals.ts';
import { createWarning, quote } from './check-warning.ts';
import { findEmoji, findEmoticons, findRepeatedSigns } from './find-signs.ts';

/**
 * Checks emoji, emoticons, repeated signs and capitals in Google Play's texts: refused in the app name. In the
 * descriptions emoji are allowed and reported as info.
 */
export function checkPlaySigns({ key, label }: ListingField, text: string): CheckWarning[] {
  const emoji = findEmoji(text);
  if (key !== 'title')
    return emoji.length > 0
      ? [createWarning('info', `The ${label} has emoji, which Google Play allows there: ${quote(emoji)}.`)]
      : [];
  const refused = [
    { what: 'emoji', found: emoji },
    { what: 'emoticons', found: findEmoticons(text) },
    { what: 'repeated special characters', found: findRepeatedSigns(text) },
  ];
  return [
    ...refused
      .filter(({ found }) => found.length > 0)
      .map(({ what, found }) =>
        createWarning('error', `Google Play refuses ${what} in the ${label}: ${quote(found)}.`),
      ),
    ...checkCapitals(label, text),
  ];
}
