import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An app of the fake Google Play. Every app, developer and number is invented. */
export type PlayApp = {
  appId: string;
  title: string;
  developer: string;
  category: string;
  genre: string;
  /** HTML, as in the store. */
  short: string;
  about: string;
  /** Average and number; absent: the app has no ratings. */
  rated?: readonly [average: number, count: number] | undefined;
  installs?: number;
  /** In the currency of the storefront. */
  price?: number | undefined;
  /** Absent: varies with device. */
  version?: string | undefined;
  /** Unix time in seconds. */
  releasedAt?: number | undefined;
  hasVideo?: boolean;
  screenshots?: number;
  /** Sold only in these countries. */
  onlyIn?: readonly string[];
};

const rows: readonly Omit<PlayApp, 'appId' | 'about'>[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'google-play-apps.json'), 'utf8'),
);

/** The apps that a country's Google Play sells. */
export function playAppsIn(country: string): PlayApp[] {
  return allPlayApps.filter(({ onlyIn }) => onlyIn === undefined || onlyIn.includes(country.toUpperCase()));
}

/** In the order of searches and charts. */
export const allPlayApps: readonly PlayApp[] = rows.map((row, index) => ({
  appId: `example.invented.play${index + 1}`,
  about: `<b>${row.title.replace(/&/g, '&amp;')}</b><br>${row.short}<br><br>Made by hand.`,
  screenshots: 3,
  ...row,
}));

export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

export function searchPlayApps(term: string, country: string): PlayApp[] {
  const words = wordsOf(term);
  if (words.length === 0) return [];
  return playAppsIn(country).filter(({ title, short }) => {
    const known = wordsOf(`${title} ${short}`);
    return words.every((word) => known.includes(word));
  });
}

/** Starts of titles that begin with the prefix, the shortest first. */
export function completePlayPrefix(prefix: string, country: string): string[] {
  const typed = wordsOf(prefix).join(' ');
  if (typed === '') return [];
  const openings = playAppsIn(country).flatMap(({ title, short }) =>
    [wordsOf(title), wordsOf(short)].flatMap((words) =>
      words.map((_, end) => words.slice(0, end + 1).join(' ')),
    ),
  );
  return [...new Set(openings)].filter((opening) => opening.startsWith(typed)).slice(0, 5);
}

export function chartPlayApps(category: string, cluster: string, country: string): PlayApp[] {
  const wantsPaid = cluster === 'topselling_paid';
  const charted = playAppsIn(country).filter(
    (app) => cluster === 'topgrossing' || (app.price !== undefined) === wantsPaid,
  );
  const ofCategory = charted.filter(
    (app) =>
      category === 'APPLICATION' || app.category === category || app.category.startsWith(`${category}_`),
  );
  // The store has free apps in every category; this small catalog does not.
  return ofCategory.length === 0 && cluster === 'topselling_free' ? charted.slice(0, 1) : ofCategory;
}
