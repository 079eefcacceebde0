import type { CallWithBudget } from '@shelfwise/store-fetch/budget/call-with-budget';
import { createAnswerCache } from '@shelfwise/store-fetch/cache/answer-cache';
import type { StoreSource } from '@shelfwise/store-fetch/source';
import { createAppStoreSource } from '@shelfwise/store-fetch/sources/app-store/app-store-source';
import { createGooglePlaySource } from '@shelfwise/store-fetch/sources/google-play/google-play-source';
import { createLiveSource } from '@shelfwise/store-fetch/sources/live-source';
import { iconNotFound } from '@shelfwise/store-fetch/store-health/store-failure';

const timeoutMs = 10_000;

/** The live source without budgets, circuit breakers, retries, icons or room in its cache. For a local stand-in only. */
export function createUnlimitedSource(store: string, now: () => Date): StoreSource {
  const callWithBudget: CallWithBudget = (request, attempt) =>
    attempt({ dispatcher: undefined, signal: request.signal });
  const urls = { itunes: store, hints: store, apps: store };
  const reads = createLiveSource({
    stores: {
      ITUNES: createAppStoreSource({ callWithBudget, urls, timeoutMs, now }),
      GPLAY: createGooglePlaySource({ callWithBudget, baseUrl: store, timeoutMs, now }),
    },
    cache: createAnswerCache({ maxBytes: 1, now }),
    now,
    onCacheLookup: () => {},
    // For a stand-in that shows no wrong pages.
    emptyPages: null,
  });
  return {
    ...reads,
    icon: async () => {
      throw iconNotFound();
    },
  };
}
