import { randomUUID } from 'node:crypto';
import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { Store } from '@shelfwise/proto/store/v1/storefront';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { createLogger } from '@shelfwise/runtime/logger';
import { createMetrics } from '@shelfwise/runtime/metrics';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { statusService } from '@shelfwise/runtime/process/status-service';
import { useDatabaseServer } from '../../../testing/use-database-server.ts';
import { createStoreFetchServer } from '../src/server.ts';
import type { StoreSource } from '../src/source.ts';

export type Client = GrpcClient<typeof StoreFetchServiceService>;
export type Rpc = keyof Client;

/** Optional settings of a test: for example a database shared with another copy, or the clock that dates rows. */
export type ServiceOptions = {
  checks?: Readonly<Record<string, StatusCheck>>;
  database?: string;
  now?: () => Date;
};

/**
 * Starts the real service on a free port, with the given source and its own database. It is stopped after the tests,
 * and its database is dropped.
 */
export function useService() {
  const closing: (() => unknown)[] = [];
  afterAll(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const databaseUri = useDatabaseServer();

  return async function connect(source: StoreSource, options: ServiceOptions = {}) {
    const {
      checks = {},
      database = `store_fetch_${randomUUID().slice(0, 18)}`,
      now = () => new Date(),
    } = options;
    const metrics = createMetrics();
    const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => {} } });
    const connection = await connectMongo({ uri: databaseUri(), database, logger });
    closing.push(async () => {
      // The test may have closed it.
      if (connection.readyState !== 1) await connection.openUri(databaseUri(), { dbName: database });
      if (options.database === undefined) await connection.dropDatabase();
      await connection.close();
    });
    const server = createStoreFetchServer({
      source,
      checks,
      logger,
      metrics,
      listenAddress: '127.0.0.1:0',
      connection,
      isDatabaseEmbedded: true,
      now,
    });
    await server.start();
    const address = { name: 'store-fetch', address: server.address() };
    const service = createGrpcClient({ service: StoreFetchServiceService, ...address });
    const status = createGrpcClient({ service: statusService, ...address });
    closing.push(() => server.stop(), service.close, status.close);
    return { client: service.client, status: status.client, connection, database };
  };
}

export function call(ms = 10_000) {
  return { requestId: 'test', deadline: new Date(Date.now() + ms) };
}

export function storefront(store: Store = 'ITUNES', country = 'US', lang = 'en-US') {
  return { store, country, lang };
}

/** A valid request of each RPC. */
export const requests: { readonly [Name in Rpc]: Parameters<Client[Name]>[0] } = {
  searchApps: { storefront: storefront(), term: 'habit tracker', limit: 100, for_daily_run: false },
  getListing: { storefront: storefront(), app_id: '1', with_subtitle: true, for_daily_run: false },
  getListings: { storefront: storefront(), app_ids: ['1', '2'], with_subtitle: true, for_daily_run: false },
  suggestTerms: { storefront: storefront(), prefix: 'pho', for_daily_run: false, is_thorough: false },
  getChart: {
    storefront: storefront(),
    category: 'OVERALL',
    collection: 'FREE',
    limit: 10,
    for_daily_run: false,
  },
  runAutocomplete: { account_id: 'ann', storefront: storefront(), prefix: 'pho' },
  listAutocompletes: { account_id: 'ann', page: 1, per_page: 50 },
};

/** The RPCs that read a store. */
export const storeRpcs = (Object.keys(requests) as Rpc[]).filter((rpc) => rpc !== 'listAutocompletes');
/** The RPCs whose replies have the read time and source. */
export const readingRpcs = storeRpcs.filter((rpc) => rpc !== 'runAutocomplete');

/** Calls an RPC by its name; the test must pass a matching request. */
export function callRpc(
  client: Client,
  rpc: Rpc,
  request: object,
  options: CallOptions = call(),
): Promise<unknown> {
  const method = client[rpc] as (request: object, options: CallOptions) => Promise<unknown>;
  return method(request, options);
}
