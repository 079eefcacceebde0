import type { GenreCount } from '../../keyword/keyword-score.ts';

/** Store identifiers of apps: an array, or a text that holds them (`unpackIds`). */
export type AppIds = {
  readonly length: number;
  /** -1 when the id is not among them. */
  indexOf(id: string): number;
  /** Not for negative positions. */
  slice(from: number, to: number): readonly string[];
};

/** What an audit needs of a result page. */
export type TermPage = {
  /** in the store's order, to rank 100 */
  app_ids: AppIds;
  /** of the first ten; null: not known */
  genres: readonly GenreCount[] | null;
  /** The store shows more apps, whose ids are not kept. */
  is_cut?: true;
};

/** The rank of an app on a page, from 1; null: not on it. */
export function rankOn({ app_ids: ids }: Pick<TermPage, 'app_ids'>, appId: string): number | null {
  const index = ids.indexOf(appId);
  return index < 0 ? null : index + 1;
}

/** Whether an app of this rank is among the first ten, which most people look at. */
export function isOnFirstPage(rank: number | null): boolean {
  return rank !== null && rank <= 10;
}
