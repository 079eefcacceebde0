import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { Store } from '@shelfwise/facts/stores/store';
import type {
  MessageEvent,
  TopicBatchHandlers,
  TopicHandlers,
} from '@shelfwise/runtime/events/consume-topics';
import type { DeletedAccountStore } from '@shelfwise/runtime/mongo/deleted-account-store';
import type { Auditor } from '../audits/auditor.ts';
import { savePageRanks } from '../audits/save-ranks.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { PageDayStore } from '../stores/page-day-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import type { VisibilityDayStore } from '../stores/visibility-day-store.ts';
import type { WatcherStore } from '../stores/watcher-store.ts';
import { createForgetDeletedAccounts } from './forget-deleted-accounts.ts';
import { createOnApplicationTracked } from './on-application-tracked.ts';
import { createOnApplicationUntracked } from './on-application-untracked.ts';
import { createOnKeywordsTracked, createOnKeywordsUntracked } from './on-keywords-tracked.ts';
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
  pageDays: PageDayStore;
  sourceGuard: SourceGuard;
  now: () => Date;
  /** Called after an event was stored in the outbox. */
  wake: () => void;
  /** Makes the worker measure the due tracked keywords of a store now. */
  wakeTracked: (store: Store) => void;
}): { handlers: TopicHandlers; batchHandlers: TopicBatchHandlers } {
  const { auditor, terms, watchers, baskets, visibilityDays, pageDays, sourceGuard, now } = deps;
  const forgetDeleted = createForgetDeletedAccounts(deps);
  // Also when it fails: a dead letter may never be applied, and must leave no row.
  const ofAccount =
    <Message extends { account_id: string }>(
      consume: (message: Message, event: MessageEvent) => Promise<void>,
    ) =>
    async (message: Message, event: MessageEvent): Promise<void> => {
      try {
        await consume(message, event);
      } finally {
        await forgetDeleted([message]);
      }
    };
  const ofAccounts =
    <Message extends { account_id: string }>(
      consume: (messages: readonly Message[], events: readonly MessageEvent[]) => Promise<void>,
    ) =>
    async (messages: readonly Message[], events: readonly MessageEvent[]): Promise<void> => {
      try {
        await consume(messages, events);
      } finally {
        await forgetDeleted(messages);
      }
    };
  const handlers: TopicHandlers = {
    'tracking.application-tracked.v1': ofAccount(createOnApplicationTracked({ auditor, watchers })),
    'tracking.application-untracked.v1': ofAccount(createOnApplicationUntracked({ watchers })),
    'tracking.listing-changed.v1': createOnListingChanged({ auditor, watchers }),
    'tracking.listing-read.v1': createOnListingRead({ visibilityDays, sourceGuard }),
  };
  const batchHandlers: TopicBatchHandlers = {
    'tracking.keyword-tracked.v1': ofAccounts(createOnKeywordsTracked(deps)),
    'tracking.keyword-untracked.v1': ofAccounts(createOnKeywordsUntracked(deps)),
    'tracking.snapshot-taken.v1': createOnSnapshotsTaken({
      terms,
      savePageRanks: (pages) => savePageRanks({ baskets, visibilityDays, pageDays }, pages),
      now,
      wakeTracked: deps.wakeTracked,
    }),
  };
  return { handlers, batchHandlers };
}
