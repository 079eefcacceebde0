import { createSourceGuard } from '@shelfwise/facts/source-guard';
import {
  InspectKeywordReply,
  InspectKeywordRequest,
  ListInspectionsReply,
  ListInspectionsRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { inspectKeyword } from '../src/handlers/inspect-keyword.ts';
import { listInspections } from '../src/handlers/list-inspections.ts';
import { scoringSchema } from '../src/schema.ts';
import { createAppDetailsStore } from '../src/stores/app-details-store.ts';
import { createInspectionStore } from '../src/stores/inspection-store.ts';
import { createMeasuredTermStore } from '../src/stores/measured-term-store.ts';
import { createTermStore } from '../src/stores/term-store.ts';
import { createMeasurer } from '../src/terms/create-measurer.ts';
import { createFakeStoreFetch } from './fake-store-fetch.ts';
import { us, within } from './start-drafts.ts';
import { throughContract } from './through-contract.ts';

export type Inspections = Awaited<ReturnType<ReturnType<typeof createInspectionHarness>>>;

/**
 * The handlers of inspections with the real measurer, on the empty database of the file. Requests and replies are encoded
 * and decoded, as between processes. Only the store is fake.
 */
export function createInspectionHarness() {
  const database = useDatabase(scoringSchema);

  return async function startInspections() {
    const { connection } = await database.take();
    const clock = createManualClock('2026-03-10T09:00:00Z');
    const { now } = clock;
    const store = createFakeStoreFetch(now);
    const storeFetch = store.client;
    const terms = createTermStore(connection);
    const measurer = createMeasurer({
      storeFetch,
      terms,
      measuredTerms: createMeasuredTermStore(terms),
      now,
      wake: () => {},
      random: () => 0.5,
      onMeasured: async () => {},
      sourceGuard: createSourceGuard({ connection }),
      appDetails: createAppDetailsStore(connection),
    });
    const inspections = createInspectionStore(connection, createCounterStore<'inspection'>(connection));
    const deps = { measurer, storeFetch, terms, inspections, now };

    return {
      clock,
      store,
      terms,
      measurer,
      connection,
      inspections,
      async inspect(request: Partial<InspectKeywordRequest> = {}, call = within()) {
        const defaults = { account_id: 'ann', storefront: us, keyword: 'photo editor', ...request };
        const sent = throughContract(InspectKeywordRequest, defaults);
        return throughContract(InspectKeywordReply, await inspectKeyword(deps, sent, call));
      },
      async list(request: Partial<ListInspectionsRequest> = {}) {
        const sent = throughContract(ListInspectionsRequest, {
          account_id: 'ann',
          page: 1,
          per_page: 50,
          ...request,
        });
        return throughContract(ListInspectionsReply, await listInspections({ inspections }, sent));
      },
    };
  };
}
