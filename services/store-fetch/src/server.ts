import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { createGrpcServer } from '@shelfwise/runtime/grpc/grpc-server';
import { sleep } from '@shelfwise/runtime/jobs/sleep';
import { createSweep } from '@shelfwise/runtime/jobs/sweep';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { databaseStatus } from '@shelfwise/runtime/mongo/database-status';
import { prepareDatabase } from '@shelfwise/runtime/mongo/prepare-database';
import { saveWithSpace } from '@shelfwise/runtime/process/disk-space';
import { checkAll, type StatusCheck } from '@shelfwise/runtime/process/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/process/status-service';
import type { GrpcService, GrpcServiceDeps } from '@shelfwise/runtime/service/service';
import { deleteAccountRows } from './handlers/delete-account-rows.ts';
import { getChart } from './handlers/get-chart.ts';
import { getListing } from './handlers/get-listing.ts';
import { getListings } from './handlers/get-listings.ts';
import { listAutocompletes } from './handlers/list-autocompletes.ts';
import { runAutocomplete } from './handlers/run-autocomplete.ts';
import { searchApps } from './handlers/search-apps.ts';
import { suggestTerms } from './handlers/suggest-terms.ts';
import { storeFetchSchema } from './schema.ts';
import type { StoreSource } from './source.ts';
import { createAutocompleteStore } from './stores/autocomplete-store.ts';
import { createSearchTermStore } from './stores/search-term-store.ts';

/** How long a live source remembers a term that is no longer searched. */
const searchTermDays = 35;
/** How long open requests may still run during a stop. The process exits after ten seconds at the latest. */
const drainMs = 8000;

/**
 * The store-fetch service with one source. Without its database only the autocomplete history fails, and a live source,
 * which stores its call budgets there.
 */
export function createStoreFetchServer(
  deps: GrpcServiceDeps & {
    source: StoreSource;
    /** of the source, for the health page */
    checks: Readonly<Record<string, StatusCheck>>;
    /** How long an account's history is kept, in days; default: null, forever. */
    historyDays?: number | null;
    /** Called when the service drains, so that calls queued for a store do not delay it. */
    refuseQueued?: () => void;
  },
): GrpcService & { checks: { database: StatusCheck } } {
  const { source, connection, now, logger, metrics, refuseQueued = () => {} } = deps;
  const counters = createCounterStore<'autocomplete'>(connection);
  const autocompletes = createAutocompleteStore(connection, counters);
  const sweep = createSweep({
    expiring: [
      {
        name: 'autocomplete queries',
        keptDays: deps.historyDays ?? null,
        deleteBefore: autocompletes.deleteBefore,
      },
      {
        name: 'searched terms',
        keptDays: searchTermDays,
        deleteBefore: createSearchTermStore(connection).deleteBefore,
      },
    ],
    logger,
    now,
    sleep,
  });
  const sourceGuard = createSourceGuard({ connection });
  const database = databaseStatus(connection, deps.isDatabaseEmbedded);
  const checks = { ...deps.checks, database };

  metrics.parts.add('store-fetch', () => checkAll(checks));
  const server = createGrpcServer({
    name: 'store-fetch',
    logger,
    metrics,
    hasReflection: deps.hasReflection,
    security: deps.security,
    ownNeeds: database,
  });
  server.addService(StoreFetchServiceService, {
    searchApps: (request, call) => searchApps({ source }, request, call),
    getListing: (request, call) => getListing({ source }, request, call),
    getListings: (request, call) => getListings({ source }, request, call),
    suggestTerms: (request, call) => suggestTerms({ source }, request, call),
    getChart: (request, call) => getChart({ source }, request, call),
    runAutocomplete: (request, call) =>
      runAutocomplete(
        { source, autocompletes: saveWithSpace(autocompletes, deps.diskSpace), sourceGuard, now },
        request,
        call,
      ),
    listAutocompletes: (request) => listAutocompletes({ autocompletes }, request),
  });
  server.addService(AccountRowsServiceService, {
    deleteAccountRows: (request, call) => deleteAccountRows({ autocompletes }, request, call),
  });
  server.addService(statusService, createStatusHandlers(checks));

  let address = '';
  return {
    name: 'store-fetch',
    async start() {
      await prepareDatabase(connection, storeFetchSchema, deps.schemaMode);
      address = await server.listen(deps.listenAddress);
      sweep.start();
    },
    async stop() {
      refuseQueued();
      await Promise.all([server.drain(drainMs), sweep.stop()]);
    },
    address: () => address,
    inProcess: server.inProcess,
    checks,
  };
}
