import type { ListingField } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import { cutText } from '@shelfwise/facts/text/cut-text';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { checkCapitals } from './check-capitals.ts';
import { createWarning, fieldName, quote } from './check-warning.ts';
import { limitsRead } from './check-words.ts';
import { findKaomoji } from './find-kaomoji.ts';
import { findEmoji, findEmoticons, findRepeatedSigns, findSymbols } from './find-signs.ts';

/** Checks emoji, emoticons, symbols and, in Google Play's app name, repeated signs and capitals. */
export function checkSigns(store: Store, field: ListingField, text: string): CheckWarning[] {
  const read = cutText(text, limitsRead * field.limit);
  return store === 'ITUNES' ? checkAppStoreSigns(field, read) : checkPlaySigns(field, read);
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
  const kaomoji = findKaomoji(title);
  const rest = kaomoji.reduce((left, found) => left.replaceAll(found, ' '), title);
  return [...kaomoji, ...findEmoticons(rest)];
}

function warnings(level: 'error' | 'warning' | 'info', found: readonly string[], what: string) {
  return found.length > 0 ? [createWarning(level, `${what}: ${quote(found)}.`)] : [];
}
