import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { ListingResult } from '@shelfwise/proto/store/v1/store';
import type { PageApp, ResultPage } from '../domain/keyword/keyword-reading.ts';
import { weekMs } from '../domain/week.ts';
import type { AppDetails, AppDetailsStore } from '../stores/app-details-store.ts';
import { detailsOfListing } from './details-of-listing.ts';
import { admitReading, nextCall, readOrRefusal, type StoreReader, type StoreTurn } from './store-turn.ts';

/** Difficulty and traffic look at so many results; store-fetch reads up to 20 at once. */
const lookedAt = 10;

/**
 * A Google Play page with the details of its first results. Those that another keyword had read within a week cost no
 * call, the others one. An app that the store does not have (any more) counts as read; of one that cannot be read the
 * last details stand in, however old; without any the page keeps `details_read_at` null.
 */
export async function readDetails(
  reader: StoreReader & { appDetails: AppDetailsStore },
  storefront: Storefront,
  page: ResultPage,
  turn: StoreTurn,
): Promise<ResultPage> {
  const { appDetails, now } = reader;
  const top = page.apps.slice(0, lookedAt);
  const kept = await appDetails.findMany(
    storefront,
    top.map(({ app_id: appId }) => appId),
  );
  const newEnough = now().getTime() - weekMs;
  const missing = top
    .map(({ app_id: appId }) => appId)
    .filter((appId) => (kept.get(appId)?.read_at.getTime() ?? 0) <= newEnough);
  for (const details of await readListings(reader, storefront, missing, turn))
    kept.set(details.app_id, details);
  const moments = top.map(({ app_id: appId }) => kept.get(appId)?.read_at.getTime() ?? null);
  return {
    ...page,
    apps: page.apps.map((app, index) => (index < lookedAt ? withDetails(app, kept.get(app.app_id)) : app)),
    details_read_at: moments.includes(null)
      ? null
      : new Date(Math.min(...moments.filter((at) => at !== null))),
  };
}

/** What could be read of them; kept for other keywords. */
async function readListings(
  reader: StoreReader & { appDetails: AppDetailsStore },
  storefront: Storefront,
  appIds: readonly string[],
  turn: StoreTurn,
): Promise<AppDetails[]> {
  if (appIds.length === 0) return [];
  const { storeFetch, appDetails, now } = reader;
  const request = { storefront, app_ids: [...appIds], with_subtitle: false, for_daily_run: !turn.isAwaited };
  const read = await readOrRefusal(
    turn,
    storeFetch
      .getListings(request, nextCall(turn))
      .then(({ results }) => Promise.all(results.map((result) => toDetails(reader, result)))),
  );
  const details = 'refusal' in read ? [] : read.found.filter((found) => found !== null);
  if (details.length > 0) await appDetails.save(storefront, details, now());
  return details;
}

/** Null: it could not be read. */
async function toDetails(
  reader: StoreReader,
  { app_id: appId, outcome }: ListingResult,
): Promise<AppDetails | null> {
  if (outcome?.$case === 'found' && outcome.value.listing) {
    const { read_at: readAt } = await admitReading(reader, outcome.value.reading);
    return { app_id: appId, read_at: readAt, ...detailsOfListing(outcome.value.listing) };
  }
  if (outcome?.$case !== 'failure' || outcome.value.code !== 'APP_NOT_FOUND') return null;
  const nothing = {
    genre: null,
    genre_key: null,
    rating: null,
    ratings: null,
    installs: null,
    updated_at: null,
  };
  return { app_id: appId, read_at: reader.now(), ...nothing };
}

function withDetails(app: PageApp, details: AppDetails | undefined): PageApp {
  if (!details) return app;
  const { genre, genre_key: genreKey, rating, ratings, installs } = details;
  return {
    ...app,
    genre: genre ?? app.genre,
    genre_key: genreKey ?? app.genre_key ?? null,
    rating: rating ?? app.rating,
    ratings,
    installs,
    updated_at: details.updated_at,
  };
}
