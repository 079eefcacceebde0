import type {
  FoundApp,
  ListingResult,
  StoreFetchServiceService,
  Listing as StoreListing,
} from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';

type StoreFetch = GrpcClient<typeof StoreFetchServiceService>;

export type FakeStoreFetch = ReturnType<typeof createFakeStoreFetch>;

/**
 * A store that has every app, and shows a hundred apps on every page that a test does not set.
 */
export function createFakeStoreFetch(now: () => Date) {
  const pages = new Map<string, string[]>();
  const searches: string[] = [];
  const looks: string[] = [];
  const batches: Parameters<StoreFetch['getListings']>[0][] = [];
  const origin = { source: 'sample' };
  const reading = () => ({ read_at: now(), ...origin });

  const search: StoreFetch['searchApps'] = async ({ term, limit }) => {
    const appIds = pages.get(term) ?? Array.from({ length: 100 }, (_, index) => `app.${term}.${index + 1}`);
    return { reading: reading(), apps: appIds.slice(0, limit).map(fakeFoundApp) };
  };
  const look: StoreFetch['getListing'] = async ({ app_id: appId }) => ({
    reading: reading(),
    listing: fakeListing(appId),
  });
  const lookAtMany: StoreFetch['getListings'] = async ({ app_ids: appIds }) => ({
    results: appIds.map((appId) => foundListing(appId, reading())),
  });
  const answers = { search, look, lookAtMany };

  const client: StoreFetch = {
    searchApps: (request, call) => {
      searches.push(request.term);
      return answers.search(request, call);
    },
    getListing: (request, call) => {
      looks.push(request.app_id);
      return answers.look(request, call);
    },
    getListings: (request, call) => {
      batches.push(request);
      return answers.lookAtMany(request, call);
    },
    suggestTerms: notAsked,
    getChart: notAsked,
    runAutocomplete: notAsked,
    listAutocompletes: notAsked,
  };
  return {
    client,
    /** Where all readings come from. */
    origin,
    /** What answers; a test may put something else in place. */
    answers,
    /** Terms that were searched and apps that were looked up, in order. */
    searches,
    looks,
    /** Calls for several listings, in order. */
    batches,
    reading,
    setPage: (term: string, appIds: string[]) => pages.set(term, appIds),
  };
}

export function fakeFoundApp(appId: string): FoundApp {
  return {
    app_id: appId,
    title: `Title of ${appId}`,
    icon: `https://icons.test/${appId}.png`,
    developer_name: 'Harbour Software',
    updated_at: null,
  };
}

/** A whole listing; an id that begins with `bundle.` is another spelling of the number after it. */
export function fakeListing(asked: string) {
  const appId = asked.replace(/^bundle\./, '');
  return {
    ...fakeFoundApp(appId),
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

/** Tracking has no use for it. */
async function notAsked(): Promise<never> {
  throw new AppError('INTERNAL_ERROR', 'Tracking asks for pages and listings only.');
}

export const storeFailed = () => new AppError('STORE_FETCH_FAILED', 'The store blocks us. Try again later.');

/** A service that took the call and never answers: the caller's own signal or deadline ends it. */
export function silence(_request: unknown, call: { signal?: AbortSignal }): Promise<never> {
  return new Promise((_resolve, reject) => {
    call.signal?.addEventListener('abort', () => reject(call.signal?.reason));
  });
}
