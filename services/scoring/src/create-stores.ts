import { createSourceGuard } from '@shelfwise/facts/source-guard';
import type { JobTarget } from '@shelfwise/proto/jobs/v1/jobs';
import { createBulkJobStore } from '@shelfwise/runtime/bulk/bulk-job-store';
import { createJobQueue } from '@shelfwise/runtime/jobs/job-queue';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { createDeletedAccountStore } from '@shelfwise/runtime/mongo/deleted-account-store';
import { createReservationStore } from '@shelfwise/runtime/mongo/reservation-store';
import type { Connection } from 'mongoose';
import type { DueAudit } from './audits/audit-jobs.ts';
import { createAppDetailsStore } from './stores/app-details-store.ts';
import { createAuditStore } from './stores/audit-store.ts';
import { createBasketStore } from './stores/basket-store.ts';
import { createDescriptionLookStore } from './stores/description-look-store.ts';
import { createDueTermStore } from './stores/due-term-store.ts';
import { createInspectionStore } from './stores/inspection-store.ts';
import { createKeptPageStore } from './stores/kept-page-store.ts';
import { createKeywordsFieldStore } from './stores/keywords-field-store.ts';
import type { Listing } from './stores/listing.ts';
import { createListingStore } from './stores/listing-store.ts';
import { createListingTermStore } from './stores/listing-term-store.ts';
import { createMeasuredTermStore } from './stores/measured-term-store.ts';
import { createPageDayStore } from './stores/page-day-store.ts';
import { createReleaseStore } from './stores/release-store.ts';
import { createScoreDayStore } from './stores/score-day-store.ts';
import { createSimulationRunStore } from './stores/simulation-run-store.ts';
import { createTermStore } from './stores/term-store.ts';
import { createTrackedTermStore } from './stores/tracked-term-store.ts';
import { createVisibilityDayStore } from './stores/visibility-day-store.ts';
import { createWatcherStore } from './stores/watcher-store.ts';

const asOneOfMany = { isOnlyCopy: false };

/**
 * All stores of the service.
 * @param connection to scoring's own database
 * @param options `isOnlyCopy`: see `ServiceDeps`
 */
export function createStores(connection: Connection, { isOnlyCopy }: { isOnlyCopy: boolean } = asOneOfMany) {
  const counters = createCounterStore<'simulation' | 'inspection' | 'job'>(connection);
  const terms = createTermStore(connection);
  const listings = createListingStore(connection);
  return {
    terms,
    dueTerms: createDueTermStore(terms),
    measuredTerms: createMeasuredTermStore(terms),
    keptPages: createKeptPageStore(terms),
    appDetails: createAppDetailsStore(connection),
    listings,
    auditQueue: createJobQueue<DueAudit, Listing>({ model: listings.model, fields: ['requested_at'] }),
    listingTermStore: createListingTermStore(connection),
    descriptionLooks: createDescriptionLookStore(connection),
    trackedTerms: createTrackedTermStore(connection),
    watchers: createWatcherStore(connection),
    keywordsFields: createKeywordsFieldStore(connection, isOnlyCopy),
    deletedAccounts: createDeletedAccountStore(connection, isOnlyCopy),
    audits: createAuditStore(connection),
    releases: createReleaseStore(connection),
    baskets: createBasketStore(connection),
    scoreDays: createScoreDayStore(connection),
    visibilityDays: createVisibilityDayStore(connection),
    pageDays: createPageDayStore(connection),
    simulationRuns: createSimulationRunStore(connection, counters),
    inspections: createInspectionStore(connection, counters),
    counters,
    reservations: createReservationStore(connection),
    bulkJobStore: createBulkJobStore<JobTarget>(connection),
    sourceGuard: createSourceGuard({ connection }),
  };
}
