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
import type { Competitor } from './stores/competitor-store.ts';
import type { EventAt, TrackedApp } from './stores/tracked-app-store.ts';
import type { TrackedKeyword } from './stores/tracked-keyword-store.ts';

const rowsPerBatch = 50;
const requestId = 'migration';

type Row = { _id: unknown; active: boolean; tracked_since: Date };
/** Any mongoose model. The type of its collection is invariant and would fit only one kind of document. */
type Rows = { collection: object };

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
    async function publish(rows: Rows, row: Row, eventAt: EventAt, set: object = {}): Promise<void> {
      const { _id, tracked_since: since } = row;
      const now = new Date();
      const { id, stored } = eventAt(since);
      // A broker would delete an event as old as the row.
      const event = { id, stored: { ...stored, at: now } };
      await collectionOf(rows).updateOne(
        { _id: _id as never, active: true, tracked_since: since },
        { $set: { ...set, ...outboxSet(event, now) } },
      );
    }

    for await (const row of readActive<TrackedApp>(trackedApps.model, signal)) {
      const listing = await listings.find(row.listing_id);
      if (!listing) continue;
      const event = (at: Date) => applicationTracked(row.account_id, listing, { at, requestId });
      await publish(trackedApps.model, row, event);
    }
    for await (const row of readActive<Competitor>(competitors.model, signal)) {
      const listing = await listings.find(row.competitor_id);
      if (!listing) continue;
      const tracked = { account_id: row.account_id, app_id: row.listing_id };
      const event = (at: Date) => competitorTracked(tracked, listing, { at, requestId });
      await publish(competitors.model, row, event);
    }
    for await (const row of readActive<TrackedKeyword>(trackedKeywords.model, signal)) {
      const [market] = await keywordMarkets.findMany([row.keyword_id]);
      if (!market) continue;
      const { store, country, lang } = market;
      const key = { account_id: row.account_id, keyword_id: row.keyword_id, app_id: row.listing_id };
      const scoredAt = market.scores?.scored_at ?? null;
      const tracked = {
        ...key,
        keyword: row.keyword,
        storefront: { store, country, lang },
        scored_at: scoredAt,
      };
      await publish(trackedKeywords.model, row, (at) => keywordTracked(tracked, { at, requestId }));
      if (row.favorite_order !== 0 || row.favorite_set_at) continue;
      const favorite = { ...key, is_favorite: true };
      await publish(trackedKeywords.model, row, (at) => keywordFavoriteSet(favorite, { at, requestId }), {
        favorite_set_at: row.tracked_since,
      });
    }
  },
};

/** Index: _id. */
async function* readActive<Document extends { active: boolean }>(
  rows: Rows,
  signal: AbortSignal,
): AsyncGenerator<Document & Pick<Row, '_id'>> {
  for (let last: unknown, isLast = false; !isLast; ) {
    signal.throwIfAborted();
    const found = await collectionOf(rows)
      .find(last === undefined ? {} : { _id: { $gt: last as never } })
      .sort({ _id: 1 })
      .limit(rowsPerBatch)
      .toArray();
    yield* (found as unknown as (Document & Pick<Row, '_id'>)[]).filter(({ active }) => active);
    isLast = found.length < rowsPerBatch;
    last = found.at(-1)?._id;
  }
}

function collectionOf({ collection }: Rows): Model<unknown>['collection'] {
  return collection as Model<unknown>['collection'];
}
