import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { createGrpcServer } from '@shelfwise/runtime/grpc-server';
import type { Logger } from '@shelfwise/runtime/logger';
import type { Metrics } from '@shelfwise/runtime/metrics';
import type { Contracts } from '@shelfwise/runtime/reflection';
import type { Part } from '@shelfwise/runtime/run';
import type { StatusCheck } from '@shelfwise/runtime/status';
import { createStatusHandlers, statusService } from '@shelfwise/runtime/status-service';
import { getChart } from './handlers/get-chart.ts';
import { getListing } from './handlers/get-listing.ts';
import { getListings } from './handlers/get-listings.ts';
import { listCategories } from './handlers/list-categories.ts';
import { searchApps } from './handlers/search-apps.ts';
import { suggestTerms } from './handlers/suggest-terms.ts';
import type { StoreSource } from './sources/source.ts';

const drainMs = 8000;

/** The store-fetch service over one source. */
export function createStoreFetchServer(deps: {
  source: StoreSource;
  checks: Readonly<Record<string, StatusCheck>>;
  logger: Logger;
  metrics: Metrics;
  /** host:port; port 0 lets the system choose */
  listenAddress: string;
  /** What clients may ask for; null: nothing. */
  contracts: Contracts | null;
  /** Told when the service drains: whoever waits for a turn at a store would hold it up in vain. */
  refuseWaiting?: () => void;
}): Part & { address(): string } {
  const { source, checks, logger, metrics, refuseWaiting = () => {} } = deps;
  const server = createGrpcServer({ name: 'store-fetch', logger, metrics });
  server.addService(StoreFetchServiceService, {
    searchApps: (request, call) => searchApps(source, request, call),
    getListing: (request, call) => getListing(source, request, call),
    getListings: (request, call) => getListings(source, request, call),
    suggestTerms: (request, call) => suggestTerms(source, request, call),
    getChart: (request, call) => getChart(source, request, call),
    listCategories: (request, call) => listCategories(source, request, call),
  });
  server.addService(statusService, createStatusHandlers(checks));
  if (deps.contracts) server.reflect(deps.contracts);

  let address = '';
  return {
    name: 'store-fetch',
    async start() {
      address = await server.listen(deps.listenAddress);
    },
    stop() {
      refuseWaiting();
      return server.drain(drainMs);
    },
    address: () => address,
  };
}
