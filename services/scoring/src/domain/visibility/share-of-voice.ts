import { searchVolume } from '@shelfwise/facts/search-volume';
import { type PagedTerm, ranksOf } from './compare-visibility.ts';
import { clickShare, isReadEnough } from './visibility.ts';

/**
 * The share of voice of several apps over the same terms and result pages, in the order of `appIds`; 0 to 1 each, not rounded. 0:
 * the app is on none of the pages. The shares of all apps of the pages sum to 1:
 * `share = sum vol * ctr(rank) / the same sum over all apps of the pages`. All null when the terms with a page have less than 80 %
 * of the searches of all, or when no app is on the pages. (docs/scores.md, share of voice)
 * @param terms all terms of the basket that count; a page has at most 100 apps, each once
 */
export function sharesOfVoice(terms: readonly PagedTerm[], appIds: readonly string[]): (number | null)[] {
  const clicks = appIds.map(() => 0);
  let known = 0;
  let all = 0;
  let total = 0;
  for (const { traffic, app_ids: page } of terms) {
    const searches = searchVolume(traffic);
    all += searches;
    if (page === null) continue;
    known += searches;
    total += searches * clicksOnPage(page.length);
    const ranks = ranksOf(page);
    for (const [index, appId] of appIds.entries())
      clicks[index] = (clicks[index] ?? 0) + searches * clickShare(ranks.get(appId) ?? null);
  }
  if (total === 0 || !isReadEnough(known, all)) return appIds.map(() => null);
  return clicks.map((one) => one / total);
}

/** The apps with the most clicks on the pages, at most `count`, the largest first; ties in the order of the pages. */
export function largestApps(terms: readonly PagedTerm[], count: number): string[] {
  const clicks = new Map<string, number>();
  for (const { traffic, app_ids: page } of terms)
    for (const [index, appId] of (page ?? []).entries())
      clicks.set(appId, (clicks.get(appId) ?? 0) + searchVolume(traffic) * clickShare(index + 1));
  return [...clicks]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([appId]) => appId);
}

/** The click shares of the first ranks together. */
function clicksOnPage(size: number): number {
  let sum = 0;
  for (let rank = 1; rank <= size; rank += 1) sum += clickShare(rank);
  return sum;
}
