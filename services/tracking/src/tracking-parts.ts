import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Connection, Model } from 'mongoose';
import { createAccountLocks } from './account-locks.ts';
import { createKeywordSweeper } from './keyword-sweeper.ts';
import { createListingRecorder } from './listing-recorder.ts';
import { createSnapshotTaker } from './snapshot-taker.ts';
import { createSourceGuard } from './source-guard.ts';
import { createCounterStore } from './stores/counter-store.ts';
import { createListingStore } from './stores/listing-store.ts';
import { createListingVersionStore } from './stores/listing-version-store.ts';
import { createMarketStore } from './stores/market-store.ts';
import { createProvenanceStore } from './stores/provenance-store.ts';
import { createRankedAppStore } from './stores/ranked-app-store.ts';
import { createSnapshotStore } from './stores/snapshot-store.ts';
import { createTrackedAppStore } from './stores/tracked-app-store.ts';
import { createTrackedKeywordStore } from './stores/tracked-keyword-store.ts';

/** What the handlers work with. */
export type TrackingParts = ReturnType<typeof createTrackingParts>;

export function createTrackingParts(deps: {
  connection: Connection;
  storeFetch: GrpcClient<typeof StoreFetchServiceService>;
  logger: Logger;
  now: () => Date;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { connection, storeFetch, logger, now, wake } = deps;
  const counters = createCounterStore(connection);
  const listings = createListingStore(connection, counters);
  const listingVersions = createListingVersionStore(connection);
  const markets = createMarketStore(connection, counters);
  const snapshots = createSnapshotStore(connection);
  const rankedApps = createRankedAppStore(connection);
  const trackedApps = createTrackedAppStore(connection);
  const trackedKeywords = createTrackedKeywordStore(connection);
  const sourceGuard = createSourceGuard({ provenance: createProvenanceStore(connection) });
  return {
    listings,
    markets,
    snapshots,
    rankedApps,
    trackedApps,
    trackedKeywords,
    storeFetch,
    sourceGuard,
    listingRecorder: createListingRecorder({ listings, listingVersions, now, wake }),
    snapshotTaker: createSnapshotTaker({
      ...{ markets, snapshots, rankedApps, storeFetch, sourceGuard, now, wake },
    }),
    keywordSweeper: createKeywordSweeper({ trackedApps, trackedKeywords, logger, now, wake }),
    locks: createAccountLocks(),
    // The relay reads nothing but the outbox fields; mongoose's Model is invariant in its document.
    outboxes: [
      trackedApps.model,
      listings.model,
      markets.model,
      trackedKeywords.model,
    ] as unknown as Model<unknown>[],
    now,
    wake,
  };
}
