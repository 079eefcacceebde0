import type {
  FoundApp,
  ListingResult,
  SearchAppsRequest,
  StoreFetchServiceService,
} from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { createGate } from '../../../testing/gate.ts';
import type { StoreListing } from '../src/domain/listing-fields.ts';

type StoreFetch = GrpcClient<typeof StoreFetchServiceService>;

export type FakeStoreFetch = ReturnType<typeof createFakeStoreFetch>;

/** A store that has every app and shows two apps on every page that a test does not set: longer ones are slow to write. */
export function createFakeStoreFetch(now: () => Date) {
  const pages = new Map<string, string[]>();
  const searches: string[] = [];
  const lookups: string[] = [];
  const batches: Parameters<StoreFetch['getListings']>[0][] = [];
  const origin = { source: 'sample' };
  const reading = () => ({ read_at: now(), ...origin });

  const search: StoreFetch['searchApps'] = async ({ term, limit }) => {
    const appIds = pages.get(term) ?? Array.from({ length: 2 }, (_, index) => `app.${term}.${index + 1}`);
    return { reading: reading(), apps: appIds.slice(0, limit).map(fakeFoundApp) };
  };
  const getListing: StoreFetch['getListing'] = async (request) => ({
    reading: reading(),
    listing: fakeListing(request.app_id),
  });
  const getListings: StoreFetch['getListings'] = async (request) => ({
    results: request.app_ids.map((appId) => foundListing(appId, reading())),
  });
  const getChart: StoreFetch['getChart'] = async () => ({
    reading: reading(),
    apps: [fakeFoundApp('charted')],
  });
  const answers = { search, getListing, getListings, getChart };

  const client: StoreFetch = {
    searchApps: (request, call) => {
      searches.push(request.term);
      return answers.search(request, call);
    },
    getListing: (request, call) => {
      lookups.push(request.app_id);
      return answers.getListing(request, call);
    },
    getListings: (request, call) => {
      batches.push(request);
      return answers.getListings(request, call);
    },
    suggestTerms: notCalled,
    getChart: (request, call) => answers.getChart(request, call),
    getIcon: notCalled,
    runAutocomplete: notCalled,
    listAutocompletes: notCalled,
  };
  /** Puts `change` between a search and its answer, until the returned function is called. */
  function onSearch(change: (answer: StoreFetch['searchApps']) => StoreFetch['searchApps']): () => void {
    const before = answers.search;
    answers.search = change(before);
    return () => {
      answers.search = before;
    };
  }

  return {
    client,
    /** Searches for these terms fail until the returned function is called. */
    failSearches: (isFailing = (_term: string) => true) =>
      onSearch((answer) => async (request, call) => {
        if (isFailing(request.term)) throw storeFailed();
        return answer(request, call);
      }),
    /** Holds the answers to these searches until `open` is called. */
    holdSearches(isHeld = (_request: SearchAppsRequest) => true): () => void {
      const { opened, open } = createGate();
      onSearch((answer) => async (request, call) => {
        if (isHeld(request)) await opened;
        return answer(request, call);
      });
      return open;
    },
    /** The source of all readings. */
    origin,
    /** The answers; a test may replace them. */
    answers,
    /** The searched terms and the looked-up apps, in order. */
    searches,
    lookups,
    /** The calls for several listings, in order. */
    batches,
    reading,
    setPage: (term: string, appIds: string[]) => pages.set(term, appIds),
    /** A page of a hundred apps. */
    setFullPage: (term: string) =>
      pages.set(
        term,
        Array.from({ length: 100 }, (_, index) => `app.${term}.${index + 1}`),
      ),
  };
}

export function fakeFoundApp(appId: string): FoundApp {
  return {
    app_id: appId,
    title: `Title of ${appId}`,
    icon: `https://icons.test/${appId}.png`,
    developer_name: 'Harbour Software',
    ratings: 1200,
    updated_at: null,
  };
}

/** A complete listing. An id that starts with `bundle.` is another spelling of the number after it. */
export function fakeListing(id: string): StoreListing {
  const appId = id.replace(/^bundle\./, '');
  return {
    unreadable: [],
    app_id: appId,
    title: `Title of ${appId}`,
    icon: `https://icons.test/${appId}.png`,
    developer_name: 'Harbour Software',
    bundle_id: `bundle.${appId}`,
    description: `What ${appId} does.\nIn two lines.`,
    url: `https://store.test/${appId}`,
    screenshots: [`https://shots.test/${appId}/1.png`],
    subtitle: `Subtitle of ${appId}`,
    genre: 'Productivity',
    languages: ['en'],
    version: '1.2.3',
    score: 4.5,
    ratings: 1200,
    released_at: new Date('2020-01-02T00:00:00Z'),
    updated_at: new Date('2026-01-02T00:00:00Z'),
    genre_key: null,
    has_video: null,
    installs: null,
    price: null,
    currency: null,
  };
}

/** One result of a call for several listings. */
export function foundListing(
  appId: string,
  reading: { read_at: Date; source: string },
  shown: Partial<StoreListing> = {},
): ListingResult {
  const listing = { ...fakeListing(appId), ...shown };
  return { app_id: appId, outcome: { $case: 'found', value: { reading, listing } } };
}

export function failedListing(appId: string, code: string): ListingResult {
  return {
    app_id: appId,
    outcome: { $case: 'failure', value: { code, message: `The store says ${code}.` } },
  };
}

/** For methods that tracking does not call. */
async function notCalled(): Promise<never> {
  throw new AppError('INTERNAL_ERROR', 'Tracking requests pages and listings only.');
}

export const storeFailed = () => new AppError('STORE_FETCH_FAILED', 'The store blocks us. Try again later.');

/** The store shows no results, which is not believed yet. */
export const unprovenPage = () =>
  new AppError('STORE_FETCH_FAILED', 'The store shows no results. Try again in ten minutes.', {
    isUnproven: true,
  });

/** A service that accepts the call and never answers; the caller's signal or deadline ends it. */
export function neverAnswer(_request: unknown, call: { signal?: AbortSignal }): Promise<never> {
  return new Promise((_resolve, reject) => {
    call.signal?.addEventListener('abort', () => reject(call.signal?.reason));
  });
}
