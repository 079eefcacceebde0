import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';
import { checkKeyword } from '@shelfwise/runtime/check-keyword';
import { checkStorefront } from '@shelfwise/runtime/check-storefront';
import type { Niche } from './stores/analysis-store.ts';

/** The niche of a request, canonical. @throws INVALID_PARAMS */
export function checkNiche(request: { storefront: StorefrontMessage | null; topic: string }): Niche {
  return { storefront: checkStorefront(request.storefront), topic: checkKeyword(request.topic, 'topic') };
}
