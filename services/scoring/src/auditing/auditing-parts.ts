import type { SourceGuard } from '@shelfwise/facts/source-guard';
import type { Connection } from 'mongoose';
import { createAuditStore } from '../stores/audit-store.ts';
import { createBasketStore } from '../stores/basket-store.ts';
import { createDueListingStore } from '../stores/due-listing-store.ts';
import { createListingStore } from '../stores/listing-store.ts';
import { createListingTermStore } from '../stores/listing-term-store.ts';
import { createReleaseStore } from '../stores/release-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import { createTrackedTermStore } from '../stores/tracked-term-store.ts';
import { createVisibilityDayStore } from '../stores/visibility-day-store.ts';
import { createWatcherStore } from '../stores/watcher-store.ts';
import { createAuditJobs } from './audit-jobs.ts';
import { createAuditKeeper } from './audit-keeper.ts';
import { createAuditRun } from './audit-run.ts';
import { createAuditor } from './auditor.ts';
import { createVisibilityKeeper } from './visibility-keeper.ts';
import { createVisibilityReader } from './visibility-reader.ts';

export type AuditingParts = ReturnType<typeof createAuditingParts>;

/** All that audits listings and keeps their visibility, for handlers, consumers and one worker. */
export function createAuditingParts(deps: {
  connection: Connection;
  terms: Pick<TermStore, 'findRankings' | 'findScores' | 'want'>;
  sourceGuard: SourceGuard;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
  /** Told after an event was written. */
  wake: () => void;
  /** Told when listings have come due before their time. */
  wakeWorker: () => void;
}) {
  const { connection, terms, sourceGuard, now, random, wake, wakeWorker } = deps;
  const listings = createListingStore(connection);
  const dueListings = createDueListingStore(listings);
  const listingTermStore = createListingTermStore(connection);
  const watchers = createWatcherStore(connection);
  const trackedTerms = createTrackedTermStore(connection);
  const audits = createAuditStore(connection);
  const releases = createReleaseStore(connection);
  const baskets = createBasketStore(connection);
  const visibilityDays = createVisibilityDayStore(connection);
  const visibilityReader = createVisibilityReader({ baskets, terms });
  const visibilityKeeper = createVisibilityKeeper({ baskets, visibilityDays, terms });
  const audit = createAuditRun({
    listings,
    listingTermStore,
    trackedTerms,
    baskets,
    visibilityKeeper,
    terms,
    now,
    auditKeeper: createAuditKeeper({ audits, releases, wake }),
  });
  const auditor = createAuditor({
    audit,
    listings,
    listingTermStore,
    audits,
    visibilityDays,
    visibilityKeeper,
    sourceGuard,
    now,
    wakeWorker,
  });
  const auditWork = createAuditJobs({ auditor, dueListings, watchers, now, random });
  return {
    auditor,
    auditWork,
    audits,
    releases,
    baskets,
    visibilityDays,
    visibilityReader,
    listings,
    watchers,
    trackedTerms,
    dueListings,
    sourceGuard,
    outboxes: [audits.model],
  };
}
