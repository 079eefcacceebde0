import { canonicalCountry } from '@shelfwise/facts/country';
import { canonicalLanguage } from '@shelfwise/facts/language';
import { isStore, type Store } from '@shelfwise/facts/store';
import type { Storefront } from '@shelfwise/facts/storefront';
import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';
import { invalidParams } from '@shelfwise/runtime/errors';

/** What identifies an app in either store is shorter. */
const maxAppIdLength = 255;
const maxRows = 200;

/** The store of a request. @throws INVALID_PARAMS for none and for one that is not known here */
export function checkStore(store: string): Store {
  if (!isStore(store)) throw invalidParams({ store: 'must be ITUNES or GPLAY' });
  return store;
}

/** The storefront of a request, canonical. @throws INVALID_PARAMS naming what is unknown */
export function checkStorefront(storefront: StorefrontMessage | null): Storefront {
  const store = checkStore(storefront?.store ?? '');
  const country = canonicalCountry(store, storefront?.country ?? '');
  if (country === null) throw invalidParams({ country: `is not a country of ${store}` });
  const lang = canonicalLanguage(storefront?.lang ?? '');
  if (lang === null) throw invalidParams({ lang: 'must be a BCP 47 language such as en-US' });
  return { store, country, lang };
}

/** A text of `min` to `max` UTF-16 units. @throws INVALID_PARAMS naming the field */
export function checkText(field: string, text: string, min: number, max: number): string {
  if (text.length < min || text.length > max)
    throw invalidParams({ [field]: `must have ${min} to ${max} characters` });
  return text;
}

/** @throws INVALID_PARAMS unless it has the length of an app's identifier */
export function checkAppId(field: string, appId: string): string {
  return checkText(field, appId, 1, maxAppIdLength);
}

/** How many rows are asked for. @throws INVALID_PARAMS below 1 and above what any store shows */
export function checkLimit(limit: number): number {
  if (limit < 1 || limit > maxRows) throw invalidParams({ limit: `must be 1 to ${maxRows}` });
  return limit;
}

/** A day that exists, as YYYY-MM-DD, or none. @throws INVALID_PARAMS naming the field */
export function checkDay(field: string, day: string | null): string | null {
  if (day === null) return null;
  const midnight = new Date(/^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00Z` : Number.NaN);
  // The 30th of February is read as the 1st or 2nd of March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day))
    throw invalidParams({ [field]: 'must be a day, YYYY-MM-DD' });
  return day;
}
