import { canonicalLanguage } from '@shelfwise/facts/language';
import type { FoundApp, Listing } from '../source.ts';
import type { ItunesRow } from './itunes-row.ts';

/** A row of a search page. */
export function toFoundApp(row: ItunesRow): FoundApp {
  return {
    appId: String(row.trackId),
    title: row.trackName,
    icon: row.icon,
    developerName: row.artistName,
    genre: row.primaryGenreName,
    ...ratingOf(row),
  };
}

/** A row of a look-up. The subtitle stands on the app's page only: null is that it was not read. */
export function toListing(row: ItunesRow, subtitle: string | null): Listing {
  const screenshots = row.screenshotUrls ?? [];
  return {
    ...toFoundApp(row),
    bundleId: row.bundleId,
    subtitle,
    description: row.description,
    url: row.trackViewUrl,
    // An app for the iPad alone has no others.
    screenshots: screenshots.length > 0 ? screenshots : (row.ipadScreenshotUrls ?? []),
    genre: row.primaryGenreName,
    genreKey: row.primaryGenreId ? String(row.primaryGenreId) : null,
    version: row.version || null,
    price: row.price ?? null,
    currency: row.currency ?? null,
    installs: null,
    languages: languagesOf(row),
    hasVideo: null,
    releasedAt: row.releaseDate ?? null,
    updatedAt: row.currentVersionReleaseDate ?? null,
  };
}

/** The store writes an average of 0 where nobody has rated; the lowest rating that a person can give is 1. */
export function ratingOf({ averageUserRating, userRatingCount }: ItunesRow) {
  return { score: userRatingCount ? averageUserRating || null : null, ratings: userRatingCount ?? null };
}

/** The store writes ZH twice for the two scripts; a code that is no language is let go. */
function languagesOf({ languageCodesISO2A }: ItunesRow): string[] {
  const tags = (languageCodesISO2A ?? []).map((code) => canonicalLanguage(code.toLowerCase()));
  return [...new Set(tags.filter((tag) => tag !== null))];
}
