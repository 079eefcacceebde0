import { clamp } from '../curve.ts';
import { isNeighbor, type Neighbors } from './neighbors.ts';
import { rankOn, type TermPage } from './term-page.ts';

/** The app whose business a term may be. `genre_key`: the store's key of its primary genre; null: unknown. */
export type RelevanceApp = { app_id: string; genre_key: string | null };

/** The share of neighbors among the first ten from which a term is certainly this app's business. */
const fullNeighborShare = 0.3;
/** The share of the app's genre among the first ten, and what it proves at most: a genre holds many kinds of apps. */
const fullGenreShare = 0.5;
const mostByGenre = 0.5;
/** Terms with less gain are not the app's business. */
export const minRelevantGain = 0.25;

/**
 * How much a term is an app's business, 0 to 1 (docs/scores.md, relevance): the highest of what its own rank, the apps
 * around it and their genre show.
 * - own: `1 - log10(rank) / 2`; 0 when the app is not on the page
 * - near: the share of the first ten that are neighbors, full at .3
 * - kind: the share of the first ten in the app's genre, .5 from one half on; dropped when a genre is unknown
 *
 * On an empty page all are 0.
 */
export function relevanceOf(
  app: RelevanceApp,
  { keyword, page }: { keyword: string; page: TermPage },
  neighbors: Neighbors,
): number {
  if (page.app_ids.length === 0) return 0;
  const first = page.app_ids.slice(0, 10);
  const near = first.filter((id) => isNeighbor(neighbors, id, keyword)).length / first.length;
  return Math.max(
    ownPart(rankOn(page, app.app_id)),
    clamp(near / fullNeighborShare),
    kindPart(app.genre_key, page) ?? 0,
  );
}

function ownPart(rank: number | null): number {
  return rank === null ? 0 : Math.max(0, 1 - Math.log10(rank) / 2);
}

function kindPart(genreKey: string | null, page: TermPage): number | null {
  const share = genreShareOn(page, genreKey);
  return share === null ? null : mostByGenre * clamp(share / fullGenreShare);
}

/** The share of a genre among the first ten whose genre is known, 0 to 1; null: no genre is known. */
export function genreShareOn({ genres }: TermPage, genreKey: string | null): number | null {
  const known = genres?.reduce((sum, { apps }) => sum + apps, 0) ?? 0;
  if (genreKey === null || known === 0) return null;
  return (genres?.find(({ key }) => key === genreKey)?.apps ?? 0) / known;
}

/**
 * How much of its traffic a term counts for an app, 0 to 1 (docs/scores.md, relevance): `clamp((relevance - .1) / .4)`. An
 * unknown relevance counts in full, the brand of another developer not at all.
 */
export function gainOf({
  relevance,
  isRival,
}: {
  relevance: number | null;
  /** the brand of another developer, for which the app is not among the first ten */
  isRival: boolean;
}): number {
  if (isRival) return 0;
  return relevance === null ? 1 : clamp((relevance - 0.1) / 0.4);
}
