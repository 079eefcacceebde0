import type { ListingField } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { checkCapitals } from './check-capitals.ts';
import { createWarning, fieldName, quote } from './check-warning.ts';
import { findKaomoji } from './find-kaomoji.ts';
import { findEmoji, findEmoticons, findRepeatedSigns, findSymbols } from './find-signs.ts';

/** In UTF-16 units, more than ten times the limit of a title: the signs of a longer one are not read. */
const maxTitleRead = 400;

/** Checks emoji, emoticons, symbols and, in Google Play's app name, repeated signs and capitals. */
export function checkSigns(store: Store, field: ListingField, text: string): CheckWarning[] {
  return store === 'ITUNES' ? checkAppStoreSigns(field, text) : checkPlaySigns(field, text);
}

/** App Store Connect refuses emoji in every field; which symbols it refuses is not published. */
function checkAppStoreSigns(field: ListingField, text: string): CheckWarning[] {
  const name = fieldName(field);
  const emoticons = field.key === 'title' ? findFaces(text) : findEmoticons(text);
  return [
    ...warnings('error', findEmoji('ITUNES', text), `App Store Connect refuses emoji in the ${name}`),
    ...warnings('error', emoticons, `App Store Connect refuses emoticons in the ${name}`),
    ...warnings('warning', findSymbols(text), `App Store Connect may refuse symbols in the ${name}`),
  ];
}

/** Google Play refuses these signs in the app name. In the descriptions emoji are allowed and reported as info. */
function checkPlaySigns({ key, label }: ListingField, text: string): CheckWarning[] {
  const emoji = findEmoji('GPLAY', text);
  if (key !== 'title')
    return warnings('info', emoji, `The ${label} has emoji, which Google Play allows there`);
  return [
    ...warnings('error', emoji, `Google Play refuses emoji in the ${label}`),
    ...warnings('error', findFaces(text), `Google Play refuses emoticons in the ${label}`),
    ...warnings(
      'error',
      findRepeatedSigns(text),
      `Google Play refuses repeated special characters in the ${label}`,
    ),
    ...checkCapitals(label, text),
  ];
}

/** Emoticons and kaomoji; an emoticon inside a kaomoji is not named again. */
function findFaces(title: string): string[] {
  const read = title.slice(0, maxTitleRead);
  const kaomoji = findKaomoji(read);
  const rest = kaomoji.reduce((left, found) => left.replaceAll(found, ' '), read);
  return [...kaomoji, ...findEmoticons(rest)];
}

function warnings(level: 'error' | 'warning' | 'info', found: readonly string[], what: string) {
  return found.length > 0 ? [createWarning(level, `${what}: ${quote(found)}.`)] : [];
}
