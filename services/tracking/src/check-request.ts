import { canonicalCountry } from '@shelfwise/facts/country';
import { canonicalLanguage } from '@shelfwise/facts/language';
import { isStore } from '@shelfwise/facts/store';
import type { Storefront } from '@shelfwise/facts/storefront';
import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';
import { daysInWindow, isDay } from '@shelfwise/runtime/day';
import { invalidParams } from '@shelfwise/runtime/errors';

/**
 * The bounds of every request, whoever sends it. The gateway has told its client already; these are for a caller that
 * did not ask it. All of them throw INVALID_PARAMS with the field named.
 */

const maxAccountIdLength = 64;
const maxWindowDays = 400;

export function checkAccountId(accountId: string): string {
  return checkText('account_id', accountId, maxAccountIdLength);
}

/** Not empty, and `max` UTF-16 units at most. */
export function checkText(field: string, text: string, max: number): string {
  if (text.length < 1 || text.length > max)
    throw invalidParams({ [field]: `must have 1 to ${max} characters` });
  return text;
}

/** An internal id: a positive whole number. */
export function checkId(field: string, id: number): number {
  return checkInteger(field, id, 1, Number.MAX_SAFE_INTEGER);
}

/** A plan's cap; null when the plan has none. */
export function checkCap(field: string, cap: number | null | undefined): number | null {
  return cap == null ? null : checkInteger(field, cap, 0, Number.MAX_SAFE_INTEGER);
}

export function checkInteger(field: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw invalidParams({ [field]: `must be a whole number from ${min} to ${max}` });
  return value;
}

/** The storefront of a request, canonical. */
export function checkStorefront(storefront: StorefrontMessage | null): Storefront {
  if (storefront === null || !isStore(storefront.store))
    throw invalidParams({ store: 'must be ITUNES or GPLAY' });
  const { store } = storefront;
  const country = canonicalCountry(store, storefront.country);
  if (country === null) throw invalidParams({ country: `is not a country of ${store}` });
  const lang = canonicalLanguage(storefront.lang);
  if (lang === null) throw invalidParams({ lang: 'must be a BCP 47 language such as en-US' });
  return { store, country, lang };
}

/** Two days that exist, in order, at most 400 days. */
export function checkWindow(from: string, to: string): { from: string; to: string } {
  if (!isDay(from)) throw invalidParams({ from: 'must be a date, YYYY-MM-DD' });
  if (!isDay(to)) throw invalidParams({ to: 'must be a date, YYYY-MM-DD' });
  const days = daysInWindow(from, to);
  if (days < 1) throw invalidParams({ from: 'must not be after to' });
  if (days > maxWindowDays) throw invalidParams({ from: `must be at most ${maxWindowDays} days before to` });
  return { from, to };
}
