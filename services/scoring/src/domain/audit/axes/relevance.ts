import { clamp, round2 } from '../../curve.ts';
import { isNeighbor, type Neighbors } from './neighbors.ts';
import type { TermPage } from './term-page.ts';

/**
 * What proves that a term is an app's business, 0 to 1 each; null: not known. (docs/scores.md, relevance)
 * - own: its best rank for the term and its forms, `1 - log10(rank) / 2`; without a rank 0
 * - near: the share of the first ten that are neighbors, full at .3
 * - said: how much its live description says about the term, .5 at most
 * - kind: the share of the first ten in its genre, .2 from one half on: a genre holds many kinds of apps
 */
export type RelevanceParts = {
  own: number | null;
  near: number | null;
  said: number | null;
  kind: number | null;
};

/** A term whose page is read, as an app sees it. */
export type RelevanceTerm = {
  /** form of the term */
  form: string;
  page: TermPage;
  /** The app's best rank on the pages of the term and its forms; null: on none of them. */
  rank: number | null;
  /** As `createSaid` returns it. */
  said: number | null;
  /** The term may be the name of another developer's app: the apps around it prove nothing. */
  isSuspected: boolean;
};

/** The share of neighbors among the first ten from which a term is certainly this app's business. */
const fullNeighborShare = 0.3;
/** The share of the app's genre among the first ten from which it proves all that it can. */
const fullGenreShare = 0.5;
const mostByGenre = 0.2;
/** Terms with less gain are not the app's business. */
export const minRelevantGain = 0.25;

/** The proofs of a term for an app. On an empty page `near` and `kind` are 0. @param genreKey null: unknown */
export function relevanceParts(
  { form, page, rank, said, isSuspected }: RelevanceTerm,
  genreKey: string | null,
  neighbors: Neighbors,
): RelevanceParts {
  return {
    own: ownPart(rank, page),
    near: isSuspected ? null : nearPart(form, page, neighbors),
    said,
    kind: isSuspected ? null : kindPart(genreKey, page),
  };
}

/** How much a term is an app's business, 0 to 1: its best proof. Null: none is known. */
export function relevanceOf({ own, near, said, kind }: RelevanceParts): number | null {
  return largerOf(largerOf(own, near), largerOf(said, kind));
}

function largerOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

/** As published. */
export function roundedParts({ own, near, said, kind }: RelevanceParts): RelevanceParts {
  return { own: own && round2(own), near: near && round2(near), said, kind: kind && round2(kind) };
}

/** An app that is not among the ids of a cut page may follow after them. */
function ownPart(rank: number | null, page: TermPage): number | null {
  if (rank === null) return page.is_cut ? null : 0;
  return Math.max(0, 1 - Math.log10(rank) / 2);
}

function nearPart(form: string, { app_ids: ids }: TermPage, neighbors: Neighbors): number {
  const first = ids.slice(0, 10);
  if (first.length === 0) return 0;
  const near = first.filter((id) => isNeighbor(neighbors, id, form)).length / first.length;
  return clamp(near / fullNeighborShare);
}

function kindPart(genreKey: string | null, page: TermPage): number | null {
  if (page.app_ids.length === 0) return 0;
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
 * How much of its traffic a term counts for an app, 0 to 1: `clamp((relevance - .1) / .4)`. An unknown relevance counts in
 * full.
 */
export function gainOf(relevance: number | null): number {
  return relevance === null ? 1 : clamp((relevance - 0.1) / 0.4);
}
