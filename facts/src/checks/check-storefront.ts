import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';
import { invalidParams } from '@shelfwise/runtime/errors';
import { parseStorefront, type Storefront } from '../stores/storefront.ts';

/** The storefront of a request in its canonical spelling. @throws INVALID_PARAMS with every unknown part */
export function checkStorefront(message: StorefrontMessage | null): Storefront {
  const parsed = parseStorefront(message);
  if ('problems' in parsed) throw invalidParams(parsed.problems);
  return parsed.storefront;
}
