import { canonicalCountry } from '@shelfwise/facts/country';
import { canonicalLanguage } from '@shelfwise/facts/language';
import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { Storefront } from './sources/source.ts';

/** The storefront of a request, canonical. @throws INVALID_PARAMS naming what is unknown */
export function checkStorefront(storefront: StorefrontMessage | null): Storefront {
  if (storefront === null || (storefront.store !== 'ITUNES' && storefront.store !== 'GPLAY'))
    throw invalidParams({ store: 'must be ITUNES or GPLAY' });
  const { store } = storefront;
  const country = canonicalCountry(store, storefront.country);
  if (country === null) throw invalidParams({ country: `is not a country of ${store}` });
  const lang = canonicalLanguage(storefront.lang);
  if (lang === null) throw invalidParams({ lang: 'must be a BCP 47 language such as en-US' });
  return { store, country, lang };
}

/** A text of `min` to `max` UTF-16 units. @throws INVALID_PARAMS naming the field */
export function checkText(field: string, text: string, min: number, max: number): string {
  if (text.length < min || text.length > max)
    throw invalidParams({ [field]: `must have ${min} to ${max} characters` });
  return text;
}
