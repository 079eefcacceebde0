import type {
  FoundApp,
  ListingResult,
  StoreFetchServiceService,
  Listing as StoreListing,
} from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { GrpcClient } from '@shelfwise/runtime/grpc-types';

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
  const look: StoreFetch['getListing'] = async ({ app_id }) => ({
    reading: reading(),
    listing: fakeListing(app_id),
  });
  const lookAtMany: StoreFetch['getListings'] = async ({ app_ids }) => ({
    results: app_ids.map((app_id) => foundListing(app_id, reading())),
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

export function fakeFoundApp(app_id: string): FoundApp {
  return {
    app_id,
    title: `Title of ${app_id}`,
    icon: `https://icons.test/${app_id}.png`,
    developer_name: 'Harbour Software',
    updated_at: null,
  };
}

/** A whole listing; an id that begins with `bundle.` is another spelling of the number after it. */
export function fakeListing(asked: string) {
  const app_id = asked.replace(/^bundle\./, '');
  return {
    ...fakeFoundApp(app_id),
    bundle_id: `bundle.${app_id}`,
    description: `What ${app_id} does.\nIn two lines.`,
    url: `https://store.test/${app_id}`,
    screenshots: [`https://shots.test/${app_id}/1.png`],
    subtitle: `Subtitle of ${app_id}`,
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
  app_id: string,
  reading: { read_at: Date; source: string },
  shown: Partial<StoreListing> = {},
): ListingResult {
  const listing = { ...fakeListing(app_id), ...shown };
  return { app_id, outcome: { $case: 'found', value: { reading, listing } } };
}

export function failedListing(app_id: string, code: string): ListingResult {
  return { app_id, outcome: { $case: 'failure', value: { code, message: `The store says ${code}.` } } };
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
