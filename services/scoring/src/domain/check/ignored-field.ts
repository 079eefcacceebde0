import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';

/** What to say of a keywords field that was sent for a store that has none. `kwField`: null or undefined: not sent. */
export function notesOnIgnored(store: Store, kwField: string | null | undefined): string[] {
  const isIgnored = kwField != null && listingFields[store].every(({ key }) => key !== 'kw_field');
  return isIgnored ? [`kw_field was ignored: ${storeNames[store]} has no keywords field.`] : [];
}
