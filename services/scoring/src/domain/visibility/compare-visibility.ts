import { visibility } from './visibility.ts';

/** A term of a basket: its traffic as weight, and the apps of its result page in the store's order; null: not read. */
export type PagedTerm = { traffic: number; app_ids: readonly string[] | null };

/**
 * The visibility of several apps over the same terms and result pages, in the order of `appIds`. 0 to 100 each; 0: it ranks for
 * no term. All null when there are too few terms, or too few of their pages are known (`visibility`).
 */
export function compareVisibility(terms: readonly PagedTerm[], appIds: readonly string[]): (number | null)[] {
  const pages = terms.map((term) => ({
    traffic: term.traffic,
    ranks: term.app_ids && ranksOf(term.app_ids),
  }));
  return appIds.map((appId) =>
    visibility(
      pages.map(({ traffic, ranks }) => ({ traffic, rank: ranks ? (ranks.get(appId) ?? null) : undefined })),
    ),
  );
}

/** Ranks from 1, by store identifier. */
function ranksOf(appIds: readonly string[]): Map<string, number> {
  return new Map(appIds.map((appId, index) => [appId, index + 1]));
}
