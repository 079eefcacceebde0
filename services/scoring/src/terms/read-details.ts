import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ListingResult } from '@shelfwise/proto/store/v1/store';
import type { PageApp, ResultPage } from '../domain/keyword/keyword-reading.ts';
import { weekMs } from '../domain/term-schedule.ts';
import type { AppDetails, AppDetailsStore } from '../stores/app-details-store.ts';
import { detailsOfListing } from './details-of-listing.ts';
import { admitReading, nextCall, type ReadContext, readOrFailure, type StoreReader } from './store-reader.ts';

export type DetailsReader = StoreReader & { appDetails: Pick<AppDetailsStore, 'findMany' | 'save'> };

/** Difficulty and traffic use this many results; store-fetch reads up to 20 per call. */
const topSize = 10;

/**
 * A Google Play page with the details of its first ten results. Details that were read for any keyword within a week
 * cost no call; each other app costs one. An app that is not in the store counts as read. For an app that cannot be
 * read, the last stored details are used, however old; without any, `details_read_at` of the page is null.
 */
export async function readDetails(
  reader: DetailsReader,
  storefront: Storefront,
  page: ResultPage,
  context: ReadContext,
): Promise<ResultPage> {
  const { appDetails, now } = reader;
  const top = page.apps.slice(0, topSize);
  const appIds = top.map((app) => app.app_id);
  const known = await appDetails.findMany(storefront, appIds);
  const weekAgo = now().getTime() - weekMs;
  const missing = appIds.filter((appId) => (known.get(appId)?.read_at.getTime() ?? 0) <= weekAgo);
  for (const details of await readListings(reader, storefront, missing, context))
    known.set(details.app_id, details);
  const readTimes = appIds.map((appId) => known.get(appId)?.read_at.getTime() ?? null);
  return {
    ...page,
    apps: page.apps.map((app, index) => (index < topSize ? withDetails(app, known.get(app.app_id)) : app)),
    details_read_at: readTimes.includes(null)
      ? null
      : new Date(Math.min(...readTimes.filter((at) => at !== null))),
  };
}

/** Returns the details that could be read, and stores them for all keywords. */
async function readListings(
  reader: DetailsReader,
  storefront: Storefront,
  appIds: readonly string[],
  context: ReadContext,
): Promise<AppDetails[]> {
  if (appIds.length === 0) return [];
  const { storeFetch, appDetails, now } = reader;
  const request = {
    storefront,
    app_ids: [...appIds],
    with_subtitle: false,
    for_daily_run: !context.isUserWaiting,
  };
  const read = await readOrFailure(
    context,
    storeFetch
      .getListings(request, nextCall(context))
      .then(({ results }) => Promise.all(results.map((result) => toDetails(reader, result)))),
  );
  const details = 'failure' in read ? [] : read.found.filter((app) => app !== null);
  if (details.length > 0) await appDetails.save(storefront, details, now());
  return details;
}

/** All null for an app that is not in the store. Returns null when the app could not be read. */
async function toDetails(reader: StoreReader, result: ListingResult): Promise<AppDetails | null> {
  const { outcome } = result;
  if (outcome?.$case === 'found' && outcome.value.listing) {
    const reading = await admitReading(reader, outcome.value.reading);
    return { app_id: result.app_id, read_at: reading.read_at, ...detailsOfListing(outcome.value.listing) };
  }
  if (outcome?.$case !== 'failure' || outcome.value.code !== 'APP_NOT_FOUND') return null;
  return {
    app_id: result.app_id,
    read_at: reader.now(),
    genre: null,
    genre_key: null,
    rating: null,
    ratings: null,
    installs: null,
    updated_at: null,
  };
}

function withDetails(app: PageApp, details: AppDetails | undefined): PageApp {
  if (!details) return app;
  const { ratings, installs } = details;
  return {
    ...app,
    genre: details.genre ?? app.genre,
    genre_key: details.genre_key ?? app.genre_key,
    rating: details.rating ?? app.rating,
    ratings,
    installs,
    updated_at: details.updated_at,
  };
}
