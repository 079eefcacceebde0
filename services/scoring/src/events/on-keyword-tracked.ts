import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Store } from '@shelfwise/facts/stores/store';
import type { KeywordTracked } from '@shelfwise/proto/tracking/v1/events';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import { keywordScored } from '../measuring/keyword-scored.ts';
import type { TermStore } from '../stores/term-store.ts';

/**
 * Somebody tracks a keyword: tracking is told the scores that are there, and it is measured before all that nobody waits
 * for. Again for each account: what is new enough costs no call.
 */
export function createOnKeywordTracked(parts: {
  terms: TermStore;
  now: () => Date;
  /** Told after an event was written. */
  wake: () => void;
  /** Has the tracked keywords that are due in a store measured now. */
  wakeTracked: (store: Store) => void;
}) {
  const { terms, now, wake, wakeTracked } = parts;
  return async (
    { keyword, storefront: given, at: trackedAt }: Pick<KeywordTracked, 'keyword' | 'storefront' | 'at'>,
    { id, requestId = id }: Pick<EventRecord, 'id' | 'requestId'>,
  ): Promise<void> => {
    const storefront = checkStorefront(given);
    const at = now();
    const known = await terms.find(storefront, keyword);
    const event = known && keywordScored(known, { at, requestId });
    await terms.track(storefront, keyword, { trackedAt: trackedAt ?? at, at }, event);
    if (event) wake();
    wakeTracked(storefront.store);
  };
}
