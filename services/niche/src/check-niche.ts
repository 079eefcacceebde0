import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront as StorefrontMessage } from '@shelfwise/proto/store/v1/storefront';
import type { Niche } from './stores/analysis-store.ts';

/** Checks and normalizes the niche of a request. @throws INVALID_PARAMS */
export function checkNiche(request: { storefront: StorefrontMessage | null; topic: string }): Niche {
  const storefront = checkStorefront(request.storefront);
  return { storefront, topic: checkKeyword(request.topic, storefront.lang, 'topic') };
}
