import type { Listing as StoreListing } from '@shelfwise/proto/store/v1/listing';
import type {
  FoundApp,
  ListingResult,
  StoreFetchServiceService,
  Suggestions,
} from '@shelfwise/proto/store/v1/store';
import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import type { CallOptions, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';

type StoreFetch = GrpcClient<typeof StoreFetchServiceService>;
type Rpc = 'searchApps' | 'getListing' | 'getListings' | 'suggestTerms' | 'getChart';
type Requests = { [Name in Rpc]: Parameters<StoreFetch[Name]>[0][] };

export type FakeStoreFetch = ReturnType<typeof createFakeStoreFetch>;

/**
 * A store that a test defines: result pages by term, listings by app, suggested terms, and one top chart. By default
 * every page shows ten apps, every app has a listing, nothing is suggested, and the chart is empty. Answers are read
 * at
 * `now` and never cached.
 */
export function createFakeStoreFetch(now: () => Date) {
  const pages = new Map<string, FoundApp[]>();
  const listings = new Map<string, Partial<StoreListing> | ErrorCode>();
  const failures = new Map<Rpc, AppError>();
  const suggestions = {
    terms: [] as string[],
    max: 10,
    isBelieved: true,
    /** Whether the store may throttle some calls: its empty lists are uncertain. */
    mayThrottle: false,
    /** Prefixes that are throttled: their lists are empty. */
    throttled: new Set<string>(),
  };
  const chart = { appIds: [] as string[] };
  const origin = { source: 'sample', readAt: (_rpc: Rpc) => now(), isSuspect: false };
  const requests: Requests = {
    searchApps: [],
    getListing: [],
    getListings: [],
    suggestTerms: [],
    getChart: [],
  };
  const calls: { rpc: Rpc; call: CallOptions }[] = [];
  /** Awaited before each answer, so that a test can delay it. */
  const hooks = { beforeAnswer: async (_rpc: Rpc): Promise<void> => {} };
  const reading = (rpc: Rpc) => ({ read_at: origin.readAt(rpc), source: origin.source });

  async function answer<Reply>(rpc: Rpc, call: CallOptions, reply: () => Reply): Promise<Reply> {
    calls.push({ rpc, call });
    await hooks.beforeAnswer(rpc);
    call.signal?.throwIfAborted();
    const failure = failures.get(rpc);
    if (failure) throw failure;
    return reply();
  }

  function resultOf(appId: string): ListingResult {
    const shown = listings.get(appId) ?? {};
    if (typeof shown === 'string')
      return {
        app_id: appId,
        outcome: { $case: 'failure', value: { code: shown, message: `The store says ${shown}.` } },
      };
    const listing = { ...fakeListing(appId), ...shown };
    return {
      app_id: appId,
      outcome: { $case: 'found', value: { reading: reading('getListings'), listing } },
    };
  }

  function suggest(prefix: string): Suggestions {
    const { throttled, mayThrottle, max } = suggestions;
    const found = throttled.has(prefix) ? [] : suggestions.terms.filter(beginsWith(prefix));
    return { terms: found.slice(0, max), is_uncertain: mayThrottle && found.length === 0 };
  }

  const client: StoreFetch = {
    searchApps(request, call) {
      requests.searchApps.push(request);
      return answer('searchApps', call, () => ({
        reading: reading('searchApps'),
        is_suspect: origin.isSuspect,
        apps: (pages.get(request.term) ?? fakePage(request.term))
          .slice(0, request.limit)
          .map((app, index) =>
            index < (request.complete_rows ?? request.limit) ? app : { app_id: app.app_id, updated_at: null },
          ),
      }));
    },
    getListing(request, call) {
      requests.getListing.push(request);
      return answer('getListing', call, () => {
        const { outcome } = resultOf(request.app_id);
        if (outcome?.$case !== 'found') throw new AppError('APP_NOT_FOUND', 'The store does not have it.');
        return outcome.value;
      });
    },
    getListings(request, call) {
      requests.getListings.push(request);
      return answer('getListings', call, () => ({ results: request.app_ids.map(resultOf) }));
    },
    suggestTerms(request, call) {
      requests.suggestTerms.push(request);
      return answer('suggestTerms', call, () => ({
        reading: reading('suggestTerms'),
        suggestions: suggestions.isBelieved ? suggest(request.prefix) : null,
      }));
    },
    getChart(request, call) {
      requests.getChart.push(request);
      return answer('getChart', call, () => ({
        reading: reading('getChart'),
        apps: chart.appIds.slice(0, request.limit).map((appId) => ({
          app_id: appId,
          title: `Title of ${appId}`,
          icon: iconOf(appId),
          developer_name: 'Harbour Software',
        })),
      }));
    },
    getIcon: unexpectedCall,
    runAutocomplete: unexpectedCall,
    listAutocompletes: unexpectedCall,
  };

  return {
    client,
    /** Source and read time of all readings, and whether result pages are suspect. */
    origin,
    /** The requests of each RPC, in order. */
    requests,
    /** All calls in order, with their options. */
    calls,
    hooks,
    suggestions,
    chart,
    setPage: (term: string, apps: readonly FoundApp[]) => pages.set(term, [...apps]),
    /** Overrides fields of a listing, or makes it fail with APP_NOT_FOUND or STORE_FETCH_FAILED. */
    setListing: (appId: string, shown: Partial<StoreListing> | ErrorCode) => listings.set(appId, shown),
    /** Makes all calls of an RPC fail until `recover`. */
    fail: (rpc: Rpc, failure: AppError = storeFailed()) => failures.set(rpc, failure),
    recover: (rpc: Rpc) => failures.delete(rpc),
    /** Number of calls of one RPC, or of all. */
    count: (rpc?: Rpc) => calls.filter((call) => rpc === undefined || call.rpc === rpc).length,
    forgetCalls() {
      calls.length = 0;
      for (const list of Object.values(requests)) list.length = 0;
    },
  };
}

async function unexpectedCall(): Promise<never> {
  throw new AppError('INTERNAL_ERROR', 'Scoring does not call this.');
}

/** An app on a result page of the App Store. */
export function fakeFoundApp(appId: string, shown: Partial<FoundApp> = {}): FoundApp {
  return {
    app_id: appId,
    title: `Title of ${appId}`,
    icon: iconOf(appId),
    developer_name: 'Harbour Software',
    genre: 'Productivity',
    genre_key: '6007',
    score: 4.5,
    ratings: 1200,
    updated_at: new Date('2026-02-20T00:00:00Z'),
    ...shown,
  };
}

/** An app on a result page of Google Play, which shows no genre, rating count or update. */
export function fakePlayApp(appId: string, shown: Partial<FoundApp> = {}): FoundApp {
  const missing = { genre: null, genre_key: null, ratings: null, updated_at: null };
  return fakeFoundApp(appId, { ...missing, ...shown });
}

export function fakePage(term: string, size = 10): FoundApp[] {
  return Array.from({ length: size }, (_, index) => fakeFoundApp(`app.${term}.${index + 1}`));
}

export function fakeListing(appId: string): StoreListing {
  return {
    unreadable: [],
    app_id: appId,
    bundle_id: `bundle.${appId}`,
    title: `Title of ${appId}`,
    description: `What ${appId} does.\nIn two lines.`,
    url: `https://store.test/${appId}`,
    icon: iconOf(appId),
    screenshots: [`https://shots.test/${appId}/1.png`],
    developer_name: 'Harbour Software',
    genre: 'Productivity',
    genre_key: 'PRODUCTIVITY',
    subtitle: `Subtitle of ${appId}`,
    languages: ['en'],
    version: '1.2.3',
    score: 4.5,
    ratings: 1200,
    installs: 50_000,
    released_at: new Date('2020-01-02T00:00:00Z'),
    updated_at: new Date('2026-02-20T00:00:00Z'),
  };
}

/** The store shows no results, which is not believed yet. */
export const unprovenPage = () =>
  new AppError('STORE_FETCH_FAILED', 'The store shows no results. Try again in ten minutes.', {
    isUnproven: true,
  });

export const storeFailed = () => new AppError('STORE_FETCH_FAILED', 'The store blocks us. Try again later.');

const iconOf = (appId: string) => `https://icons.test/${appId}.png`;

const beginsWith = (prefix: string) => (term: string) => term.startsWith(prefix);
