import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { Store } from '@shelfwise/facts/stores/store';
import type { KeywordTracked } from '@shelfwise/proto/tracking/v1/events';
import type {
  MessageEvent,
  TopicBatchHandlers,
  TopicHandlers,
} from '@shelfwise/runtime/events/consume-topics';
import type { Auditor } from '../audits/auditor.ts';
import { savePageRanks } from '../audits/save-ranks.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { DeletedAccountStore } from '../stores/deleted-account-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import type { VisibilityDayStore } from '../stores/visibility-day-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';
import { createForgetDeletedAccount } from './forget-deleted-account.ts';
import { createOnApplicationTracked } from './on-application-tracked.ts';
import { createOnApplicationUntracked } from './on-application-untracked.ts';
import { createOnKeywordTracked } from './on-keyword-tracked.ts';
import { createOnKeywordTracking } from './on-keyword-tracking.ts';
import { createOnListingChanged } from './on-listing-changed.ts';
import { createOnListingRead } from './on-listing-read.ts';
import { createOnSnapshotsTaken } from './on-snapshots-taken.ts';

export function createConsumers(deps: {
  auditor: Auditor;
  terms: TermStore;
  trackedTerms: TrackedTermStore;
  watchers: WatcherStore;
  deletedAccounts: DeletedAccountStore;
  baskets: BasketStore;
  visibilityDays: VisibilityDayStore;
  sourceGuard: SourceGuard;
  now: () => Date;
  /** Called after an event was stored in the outbox. */
  wake: () => void;
  /** Makes the worker measure the due tracked keywords of a store now. */
  wakeTracked: (store: Store) => void;
}): { handlers: TopicHandlers; batchHandlers: TopicBatchHandlers } {
  const { auditor, terms, trackedTerms, watchers, baskets, visibilityDays, sourceGuard, now } = deps;
  const measureTracked = createOnKeywordTracked({
    terms,
    now,
    wake: deps.wake,
    wakeTracked: deps.wakeTracked,
  });
  const keywordTracking = createOnKeywordTracking({ auditor, trackedTerms });
  const ofAccount = createForgetDeletedAccount(deps);
  const handlers: TopicHandlers = {
    'tracking.application-tracked.v1': ofAccount(createOnApplicationTracked({ auditor, watchers })),
    'tracking.application-untracked.v1': ofAccount(createOnApplicationUntracked({ watchers })),
    'tracking.listing-changed.v1': createOnListingChanged({ auditor, watchers }),
    'tracking.listing-read.v1': createOnListingRead({ visibilityDays, sourceGuard }),
    'tracking.keyword-tracked.v1': ofAccount(async (message: KeywordTracked, event: MessageEvent) => {
      await measureTracked(message, event);
      await keywordTracking.onTracked(message);
    }),
    'tracking.keyword-untracked.v1': ofAccount(keywordTracking.onUntracked),
  };
  const batchHandlers: TopicBatchHandlers = {
    'tracking.snapshot-taken.v1': createOnSnapshotsTaken({
      terms,
      savePageRanks: (pages) => savePageRanks({ baskets, visibilityDays }, pages),
      now,
      wakeTracked: deps.wakeTracked,
    }),
  };
  return { handlers, batchHandlers };
}
