import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Store } from '@shelfwise/facts/stores/store';
import type { KeywordTracked } from '@shelfwise/proto/tracking/v1/events';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import type { TermStore } from '../stores/term-store.ts';
import { createKeywordScoredEvent } from '../terms/keyword-scored-event.ts';

type Deps = {
  terms: Pick<TermStore, 'find' | 'track'>;
  now: () => Date;
  /** Called after an event was stored in the outbox. */
  wake: () => void;
  /** Makes the worker measure the due tracked keywords of a store now. */
  wakeTracked: (store: Store) => void;
};

/**
 * An account tracks a keyword: its stored scores are published, and it is measured before all background work. This
 * repeats for each account; data that is new enough costs no call.
 */
export function createOnKeywordTracked({ terms, now, wake, wakeTracked }: Deps) {
  return async (
    tracked: Pick<KeywordTracked, 'keyword' | 'storefront' | 'at'>,
    { id, requestId = id }: Pick<EventRecord, 'id' | 'requestId'>,
  ): Promise<void> => {
    const { keyword } = tracked;
    const storefront = checkStorefront(tracked.storefront);
    const at = now();
    const known = await terms.find(storefront, keyword);
    const event = known && createKeywordScoredEvent(known, { at, requestId });
    await terms.track(storefront, keyword, { trackedAt: tracked.at ?? at, at }, event);
    if (event) wake();
    wakeTracked(storefront.store);
  };
}
