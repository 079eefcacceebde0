import { outboxSet } from '@shelfwise/runtime/events/outbox';
import type { Migration } from '@shelfwise/runtime/mongo/schema/database-schema';
import type { Model } from 'mongoose';
import { createStores } from './create-dependencies.ts';
import {
  applicationTracked,
  competitorTracked,
  keywordFavoriteSet,
  keywordTracked,
} from './domain/tracking-events.ts';
import type { EventAt } from './stores/tracked-app-store.ts';

const rowsPerBatch = 50;
const requestId = 'migration';

type Row = { _id: unknown; active: boolean; tracked_since: Date };

/**
 * Publishes everything that accounts track once more, with the times of the rows: a service that is new learns what was tracked
 * before it existed. The others know it already, and an event with a time that they know changes nothing.
 */
export const publishWhatIsTracked: Migration = {
  id: '2026-11-29-publish-what-is-tracked',
  async run(connection, signal) {
    const stores = createStores(connection);
    const { trackedApps, competitors, trackedKeywords, listings, keywordMarkets } = stores;
    /** Adds an event to the outbox of a row, unless the row has changed: then its own event says so. */
    async function publish(model: Model<never>, row: Row, eventAt: EventAt, set: object = {}): Promise<void> {
      const { _id, tracked_since: since } = row;
      const now = new Date();
      const { id, stored } = eventAt(since);
      // A broker would delete an event as old as the row.
      const event = { id, stored: { ...stored, at: now } };
      const update = { $set: { ...set, ...outboxSet(event, now) } };
      await model.updateOne({ _id, active: true, tracked_since: since } as never, update as never);
    }

    for await (const row of readActive(trackedApps.model, signal)) {
      const listing = await listings.find(row.listing_id);
      if (!listing) continue;
      const event = (at: Date) => applicationTracked(row.account_id, listing, { at, requestId });
      await publish(trackedApps.model as never, row, event);
    }
    for await (const row of readActive(competitors.model, signal)) {
      const listing = await listings.find(row.competitor_id);
      if (!listing) continue;
      const tracked = { account_id: row.account_id, app_id: row.listing_id };
      const event = (at: Date) => competitorTracked(tracked, listing, { at, requestId });
      await publish(competitors.model as never, row, event);
    }
    for await (const row of readActive(trackedKeywords.model, signal)) {
      const [market] = await keywordMarkets.findMany([row.keyword_id]);
      if (!market) continue;
      const { store, country, lang } = market;
      const key = { account_id: row.account_id, keyword_id: row.keyword_id, app_id: row.listing_id };
      const scoredAt = market.scores?.scored_at ?? null;
      const tracked = { ...key, keyword: row.keyword, storefront: { store, country, lang }, scored_at: scoredAt };
      await publish(trackedKeywords.model as never, row, (at) => keywordTracked(tracked, { at, requestId }));
      if (row.favorite_order !== 0 || row.favorite_set_at) continue;
      const favorite = { ...key, is_favorite: true };
      await publish(
        trackedKeywords.model as never,
        row,
        (at) => keywordFavoriteSet(favorite, { at, requestId }),
        { favorite_set_at: row.tracked_since },
      );
    }
  },
};

/** Index: _id. */
async function* readActive<Document extends { active: boolean }>(
  model: Model<Document>,
  signal: AbortSignal,
): AsyncGenerator<Document & { _id: unknown }> {
  for (let last: unknown, isLast = false; !isLast; ) {
    signal.throwIfAborted();
    const after = last === undefined ? {} : { _id: { $gt: last } };
    const rows = (await model
      .find(after as never)
      .sort({ _id: 1 })
      .limit(rowsPerBatch)
      .lean()) as (Document & { _id: unknown })[];
    yield* rows.filter(({ active }) => active);
    isLast = rows.length < rowsPerBatch;
    last = rows.at(-1)?._id;
  }
}
