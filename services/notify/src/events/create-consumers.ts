import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { isStore, type Store } from '@shelfwise/facts/stores/store';
import type { Topic } from '@shelfwise/proto/topics';
import type {
  ApplicationTracked,
  CompetitorTracked,
  CompetitorUntracked,
  KeywordFavoriteSet,
  KeywordTracked,
  KeywordUntracked,
} from '@shelfwise/proto/tracking/v1/events';
import type { TopicBatchHandlers, TopicHandlers } from '@shelfwise/runtime/events/consume-topics';
import type { createStores } from '../create-stores.ts';
import type { GiveDefaultRules } from '../default-rules.ts';
import type { ForgetDeletedAccounts } from '../forget-account.ts';
import type { PublishAlerts } from '../publish-alerts.ts';
import { createOnChartTaken } from './on-chart-taken.ts';
import { createOnListingAudited } from './on-listing-audited.ts';
import { createOnListingChanged } from './on-listing-changed.ts';
import { createOnSnapshotsTaken } from './on-snapshots-taken.ts';
import { createOnStoreStateChanged } from './on-store-state-changed.ts';
import { readListing } from './read-listing.ts';

/**
 * What notify learns from events: what accounts track, and what the stores show of it. The newest event about a row wins, in whatever
 * order they arrive.
 */
export function createConsumers(
  deps: ReturnType<typeof createStores> & {
    publishAlerts: PublishAlerts;
    giveDefaultRules: GiveDefaultRules;
    forgetDeletedAccounts: ForgetDeletedAccounts;
    sourceGuard: SourceGuard;
  },
): { handlers: TopicHandlers; batchHandlers: TopicBatchHandlers; repeatable: readonly Topic[] } {
  const { trackedApps, trackedKeywords, competitors, listings } = deps;
  const forget = (messages: readonly { account_id: string }[]) =>
    deps.forgetDeletedAccounts(messages.map((message) => message.account_id));

  const saveTracked = async (messages: readonly (KeywordTracked | KeywordUntracked)[], active: boolean) => {
    await trackedKeywords.saveTracked(
      messages.map((message) => ({ key: keywordKeyOf(message), active, at: timeOf(message) })),
    );
    await forget(messages);
  };
  const saveCompetitor = async (
    message: CompetitorTracked | CompetitorUntracked,
    competitorId: number,
    active: boolean,
  ) => {
    const { account_id, app_id } = message;
    await competitors.save({
      account_id,
      listing_id: app_id,
      competitor_id: competitorId,
      active,
      at: timeOf(message),
    });
    await forget([message]);
  };

  const handlers: TopicHandlers = {
    async 'tracking.application-tracked.v1'(tracked) {
      const listing = readListing(tracked.listing);
      await deps.sourceGuard.admit(tracked.listing?.source ?? '');
      await listings.saveFirst(listing);
      const { account_id } = tracked;
      const store = storeOf(tracked);
      await trackedApps.save({
        account_id,
        listing_id: listing.id,
        store,
        active: true,
        at: timeOf(tracked),
      });
      try {
        await deps.giveDefaultRules(account_id);
      } finally {
        // A dead letter may never be applied, and must leave no row.
        await forget([tracked]);
      }
    },
    async 'tracking.application-untracked.v1'(untracked) {
      const { account_id, id } = untracked;
      await trackedApps.save({ account_id, listing_id: id, active: false, at: timeOf(untracked) });
      await forget([untracked]);
    },
    async 'tracking.competitor-tracked.v1'(tracked) {
      const listing = readListing(tracked.listing);
      await deps.sourceGuard.admit(tracked.listing?.source ?? '');
      await listings.saveFirst(listing);
      await saveCompetitor(tracked, listing.id, true);
    },
    'tracking.competitor-untracked.v1': (untracked) =>
      saveCompetitor(untracked, untracked.competitor_id, false),
    'tracking.listing-changed.v1': createOnListingChanged(deps),
    'scoring.listing-audited.v1': createOnListingAudited(deps),
    'store.state-changed.v1': createOnStoreStateChanged(deps),
    'chart.chart-taken.v1': createOnChartTaken(deps),
  };
  const batchHandlers: TopicBatchHandlers = {
    'tracking.keyword-tracked.v1': (messages) => saveTracked(messages, true),
    'tracking.keyword-untracked.v1': (messages) => saveTracked(messages, false),
    async 'tracking.keyword-favorite-set.v1'(messages) {
      await trackedKeywords.saveFavorites(
        messages.map((message) => ({
          key: keywordKeyOf(message),
          isFavorite: message.is_favorite,
          at: timeOf(message),
        })),
      );
      await forget(messages);
    },
    'tracking.snapshot-taken.v1': createOnSnapshotsTaken(deps),
  };
  // A page of the kept day or before is ignored. They are nearly all events.
  const repeatable = ['tracking.snapshot-taken.v1'] as const;
  return { handlers, batchHandlers, repeatable };
}

function keywordKeyOf(message: KeywordTracked | KeywordUntracked | KeywordFavoriteSet) {
  return { account_id: message.account_id, listing_id: message.app_id, keyword_id: message.keyword_id };
}

function storeOf({ listing }: ApplicationTracked): Store {
  const store = listing?.storefront?.store ?? 'UNSPECIFIED';
  if (!isStore(store)) throw new Error('the event does not say in which store the application is');
  return store;
}

function timeOf({ at }: { at: Date | null }): Date {
  if (!at) throw new Error('the event does not say when it happened');
  return at;
}
