import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { Store } from '@shelfwise/proto/store/v1/storefront';
import { createGrpcClient } from '@shelfwise/runtime/grpc-client';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import type { StatusCheck } from '@shelfwise/runtime/status';
import { statusService } from '@shelfwise/runtime/status-service';
import { createStoreFetchServer } from '../src/server.ts';
import type { StoreSource } from '../src/sources/source.ts';

export type Client = GrpcClient<typeof StoreFetchServiceService>;
export type Rpc = keyof Client;

/** Starts the real service on a free port, over the source given; it is stopped after the tests. */
export function useService() {
  const closing: (() => Promise<void> | void)[] = [];
  afterAll(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  return async function connect(source: StoreSource, checks: Readonly<Record<string, StatusCheck>> = {}) {
    const metrics = createMetrics();
    const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => {} } });
    const server = createStoreFetchServer({
      ...{ source, checks, logger, metrics, listenAddress: '127.0.0.1:0', contracts: null },
    });
    await server.start();
    const options = { name: 'store-fetch', address: server.address() };
    const service = createGrpcClient({ service: StoreFetchServiceService, ...options });
    const status = createGrpcClient({ service: statusService, ...options });
    closing.push(() => server.stop(), service.close, status.close);
    return { client: service.client, status: status.client };
  };
}

export function call(ms = 10_000) {
  return { requestId: 'test', deadline: new Date(Date.now() + ms) };
}

export function storefront(store: Store = 'ITUNES', country = 'US', lang = 'en-US') {
  return { store, country, lang };
}

/** A good request of each RPC. */
export const requests: { readonly [Name in Rpc]: Parameters<Client[Name]>[0] } = {
  searchApps: { storefront: storefront(), term: 'habit tracker', limit: 100, for_daily_run: false },
  getListing: { storefront: storefront(), app_id: '1', with_subtitle: true, for_daily_run: false },
  getListings: { storefront: storefront(), app_ids: ['1', '2'], with_subtitle: true, for_daily_run: false },
  suggestTerms: { storefront: storefront(), prefix: 'pho', for_daily_run: false },
  getChart: {
    storefront: storefront(),
    category: 'OVERALL',
    collection: 'FREE',
    limit: 10,
    for_daily_run: false,
  },
  listCategories: { store: 'ITUNES' },
};

export const rpcs = Object.keys(requests) as Rpc[];

/** Asks one RPC by its name; that the request is one of its own is for the test to see to. */
export function ask(client: Client, rpc: Rpc, request: object, options = call()): Promise<unknown> {
  const method = client[rpc] as (request: object, options: ReturnType<typeof call>) => Promise<unknown>;
  return method(request, options);
}
