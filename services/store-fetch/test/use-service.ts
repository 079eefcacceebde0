import { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import type { Store } from '@shelfwise/proto/store/v1/storefront';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import type { StatusCheck } from '@shelfwise/runtime/process/status';
import { statusService } from '@shelfwise/runtime/process/status-service';
import { callWithin } from '../../../testing/call-within.ts';
import { type TestDatabase, useDatabase } from '../../../testing/use-database.ts';
import { storeFetchSchema } from '../src/schema.ts';
import { createStoreFetchServer } from '../src/server.ts';
import type { StoreSource } from '../src/source.ts';
import { type LiveOptions, openLiveSource } from './open-live-source.ts';

export type Client = GrpcClient<typeof StoreFetchServiceService>;
export type Rpc = keyof Client;

export type ServiceOptions = {
  checks?: Readonly<Record<string, StatusCheck>>;
  /** The clock that dates rows. */
  now?: () => Date;
  /** Whether the client calls over gRPC, on a free port; otherwise in this process. */
  isRemote?: boolean;
  /** Whether it runs until the end of the file; otherwise until the end of the test. */
  isShared?: boolean;
  /** Whether the test may close its connection; otherwise all services of a test share a database. */
  hasOwnDatabase?: boolean;
};

/** Starts the real service with a given source, on the database of the file, which is empty when a test starts. */
export function useService() {
  const closing = { test: [] as (() => unknown)[], file: [] as (() => unknown)[] };
  let taken: Promise<TestDatabase> | undefined;
  afterEach(async () => {
    for (const close of closing.test.splice(0).reverse()) await close();
    taken = undefined;
  });
  afterAll(async () => {
    for (const close of closing.file.splice(0).reverse()) await close();
  });
  // After the hooks, which still need the connection.
  const database = useDatabase(storeFetchSchema);
  const ofTest = () => (taken ??= database.take());

  async function connect(source: StoreSource, options: ServiceOptions = {}) {
    const { checks = {}, now = () => new Date(), isRemote = false, isShared = false } = options;
    const { connection } = await (options.hasOwnDatabase ? database.own() : ofTest());
    const server = createStoreFetchServer({
      source,
      checks,
      logger: createLogger({ name: 'test', level: 'silent', destination: { write: () => {} } }),
      metrics: createMetrics(),
      listenAddress: isRemote ? '127.0.0.1:0' : null,
      connection,
      isDatabaseEmbedded: true,
      now,
    });
    await server.start();
    const address = { name: 'store-fetch', address: isRemote ? server.address() : server.inProcess };
    const service = createGrpcClient({ service: StoreFetchServiceService, ...address });
    const status = createGrpcClient({ service: statusService, ...address });
    closing[isShared ? 'file' : 'test'].push(() => server.stop(), service.close, status.close);
    return { client: service.client, status: status.client, connection };
  }

  /** A live source with an empty cache and closed breakers. It stops after the test. */
  async function openSource(storeUrl: string, options: LiveOptions = {}) {
    const live = openLiveSource(storeUrl, (await ofTest()).connection, options);
    closing.test.push(live.stop);
    return live;
  }

  return { connect, openLiveSource: openSource };
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
  getIcon: { store: 'ITUNES', app_id: '1' },
  runAutocomplete: { account_id: 'ann', storefront: storefront(), prefix: 'pho' },
  listAutocompletes: { account_id: 'ann', page: 1, per_page: 50 },
};

/** The RPCs that read a store's own pages. */
export const storeRpcs = (Object.keys(requests) as Rpc[]).filter(
  (rpc) => rpc !== 'listAutocompletes' && rpc !== 'getIcon',
);
/** The RPCs whose replies have the read time and source. */
export const readingRpcs = storeRpcs.filter((rpc) => rpc !== 'runAutocomplete');

/** Calls an RPC by its name; the test must pass a matching request. */
export function callRpc(
  client: Client,
  rpc: Rpc,
  request: object,
  options: CallOptions = callWithin(),
): Promise<unknown> {
  const method = client[rpc] as (request: object, options: CallOptions) => Promise<unknown>;
  return method(request, options);
}
