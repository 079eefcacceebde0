import { randomUUID } from 'node:crypto';
import { createSourceGuard } from '@shelfwise/facts/source-guard';
import {
  InspectKeywordReply,
  InspectKeywordRequest,
  ListInspectionsReply,
  ListInspectionsRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { inspectKeyword } from '../src/handlers/inspect-keyword.ts';
import { listInspections } from '../src/handlers/list-inspections.ts';
import { createMeasurer } from '../src/measuring/create-measurer.ts';
import { createAppDetailsStore } from '../src/stores/app-details-store.ts';
import { createInspectionStore } from '../src/stores/inspection-store.ts';
import { createMeasuredTermStore } from '../src/stores/measured-term-store.ts';
import { createTermStore } from '../src/stores/term-store.ts';
import { createFakeStoreFetch } from './fake-store-fetch.ts';
import { silentLog, throughContract, us, within } from './start-drafts.ts';

export type Inspections = Awaited<ReturnType<ReturnType<typeof createInspectionHarness>>>;

/**
 * The handlers of inspections with the real measurer, on a database of their own. Requests and replies are encoded
 * and
 * decoded, as between processes; only the store is fake.
 */
export function createInspectionHarness() {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const database = useDatabaseServer();

  return async function startInspections() {
    const name = `inspections_${randomUUID().slice(0, 18)}`;
    const connection = await connectMongo({ uri: database(), database: name, logger: silentLog });
    closing.push(async () => {
      await connection.dropDatabase();
      await connection.close();
    });
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
    await prepareDatabase(connection);

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
