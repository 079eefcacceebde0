import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';
import { invalidParams } from '@shelfwise/runtime/errors';
import { resolveLanguageAlias } from '../stores/language-alias.ts';
import { parseStorefront, type Storefront } from '../stores/storefront.ts';

/**
 * The storefront of a request in its canonical spelling: stores, rows and events have one tag per language.
 * @throws INVALID_PARAMS with every unknown part
 */
export function checkStorefront(message: StorefrontMessage | null): Storefront {
  const parsed = parseStorefront(message);
  if ('problems' in parsed) throw invalidParams(parsed.problems);
  return resolveLanguageAlias(parsed.storefront);
}
