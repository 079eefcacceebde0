import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';
import { invalidParams } from '@shelfwise/runtime/errors';
import { parseStorefront, type Storefront } from '../stores/storefront.ts';

/** The storefront of a request, canonical. @throws INVALID_PARAMS naming every part that is unknown */
export function checkStorefront(given: StorefrontMessage | null): Storefront {
  const read = parseStorefront(given);
  if ('problems' in read) throw invalidParams(read.problems);
  return read.storefront;
}
