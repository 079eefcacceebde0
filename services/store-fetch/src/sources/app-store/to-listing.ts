import { canonicalLanguage } from '@shelfwise/facts/stores/language';
import type { FoundApp, Listing } from '../../source.ts';
import type { FoundRow, ItunesRow } from './itunes-row.ts';

export function toFoundApp(row: FoundRow): FoundApp {
  return {
    app_id: String(row.trackId),
    title: row.trackName,
    icon: row.icon,
    developer_name: row.artistName,
    genre: row.primaryGenreName,
    genre_key: row.primaryGenreId === null ? null : String(row.primaryGenreId),
    ...ratingOf(row),
    updated_at: row.currentVersionReleaseDate,
  };
}

/** Converts a row of a look-up. The subtitle is only on the app's page; null means that it was not read. */
export function toListing(row: ItunesRow, subtitle: string | null): Listing {
  return {
    ...toFoundApp(row),
    bundle_id: row.bundleId,
    subtitle,
    description: row.description,
    url: row.trackViewUrl,
    screenshots: screenshotsOf(row) ?? [],
    version: row.version || null,
    price: row.price,
    currency: row.currency,
    installs: null,
    languages: languagesOf(row),
    has_video: null,
    released_at: row.releaseDate,
    unreadable: unreadableIn(row),
  };
}

/** The store gives an average of 0 for an app without ratings. */
export function ratingOf({ averageUserRating, userRatingCount }: FoundRow) {
  return { score: userRatingCount === 0 ? null : averageUserRating, ratings: userRatingCount };
}

/** The fields of every row of a look-up that are missing in this one. Some apps have no price. */
function unreadableIn(row: ItunesRow): string[] {
  const { score, ratings } = ratingOf(row);
  const fields: Partial<Record<keyof Listing, unknown>> = {
    bundle_id: row.bundleId,
    title: row.trackName,
    description: row.description,
    url: row.trackViewUrl,
    icon: row.icon,
    screenshots: screenshotsOf(row),
    developer_name: row.artistName,
    genre: row.primaryGenreName,
    genre_key: row.primaryGenreId,
    languages: row.languageCodesISO2A,
    version: row.version,
    score: ratings === 0 ? 0 : score,
    ratings,
    currency: row.currency,
    released_at: row.releaseDate,
    updated_at: row.currentVersionReleaseDate,
  };
  return Object.keys(fields).filter((field) => fields[field as keyof Listing] === null);
}

/** An iPad-only app has only iPad screenshots. Null: unreadable. */
function screenshotsOf({ screenshotUrls, ipadScreenshotUrls }: ItunesRow): string[] | null {
  if (screenshotUrls === null || screenshotUrls.length > 0) return screenshotUrls;
  return ipadScreenshotUrls ?? [];
}

/** The store lists ZH twice, once per script. Codes that are not languages are dropped. */
function languagesOf({ languageCodesISO2A }: ItunesRow): string[] {
  const tags = (languageCodesISO2A ?? []).map((code) => canonicalLanguage(code.toLowerCase()));
  return [...new Set(tags.filter((tag) => tag !== null))];
}
