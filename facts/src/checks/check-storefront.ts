import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';
import { invalidParams } from '@shelfwise/runtime/errors';
import { resolveLanguageAlias } from '../stores/language-alias.ts';
import { parseStorefront, type Storefront } from '../stores/storefront.ts';

/**
 * The storefront of a request in its canonical spelling. A language keeps its tag, also when that is an alias: rows are
 * found under the tag under which they were stored, and events name it.
 * @throws INVALID_PARAMS with every unknown part
 */
export function checkStorefront(message: StorefrontMessage | null): Storefront {
  const parsed = parseStorefront(message);
  if ('problems' in parsed) throw invalidParams(parsed.problems);
  return parsed.storefront;
}

/**
 * The storefront of a request to a store, with the canonical tag of its language: equal requests are made once, also for
 * rows that are stored under an alias.
 * @throws INVALID_PARAMS with every unknown part
 */
export function checkStorefrontToRead(message: StorefrontMessage | null): Storefront {
  return resolveLanguageAlias(checkStorefront(message));
}
