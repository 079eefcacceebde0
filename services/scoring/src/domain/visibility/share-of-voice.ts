import { searchVolume } from '@shelfwise/facts/search-volume';
import { round4 } from '../curve.ts';
import type { PagedTerm } from './compare-visibility.ts';
import { clickShare, isReadEnough, minBasketTerms, visibilityOf } from './visibility.ts';

const mostApps = 100;
/** The sum of the click shares of the first n ranks, by n. */
const clicksOnFirst: readonly number[] = Array.from({ length: mostApps }).reduce<number[]>(
  (sums, _, index) => [...sums, (sums[index] ?? 0) + clickShare(index + 1)],
  [0],
);

/**
 * The share of voice of several apps over the same terms and result pages, in the order of `appIds`; 0 to 1 each, not rounded. 0:
 * the app is on none of the pages. The shares of all apps of the pages sum to 1:
 * `share = sum vol * ctr(rank) / the same sum over all apps of the pages`. All null when the terms with a page have less than 80 %
 * of the searches of all, or when no app is on the pages. (docs/scores.md, share of voice)
 * @param terms all terms of the basket that count; a page has at most 100 apps, each once
 */
export function sharesOfVoice(terms: readonly PagedTerm[], appIds: readonly string[]): (number | null)[] {
  return toShares(sumClicks(terms, appIds));
}

/**
 * The shares of voice, and the visibility of the same apps over the same terms and pages, as `compareVisibility` computes it: both come
 * from the same sums.
 */
export function voiceAndVisibility(
  terms: readonly PagedTerm[],
  appIds: readonly string[],
): Record<'shares' | 'visibilities', (number | null)[]> {
  const sums = sumClicks(terms, appIds);
  const { clicks, known, all } = sums;
  const hasVisibility = terms.length >= minBasketTerms && isReadEnough(known, all);
  return {
    shares: toShares(sums),
    visibilities: clicks.map((met) => (hasVisibility ? visibilityOf(met, known) : null)),
  };
}

/** `clicks` of each app; `total`: of all apps of the pages; `known`: searches of the terms with a page; `all`: of all terms. */
type Sums = { clicks: number[]; total: number; known: number; all: number };

function sumClicks(terms: readonly PagedTerm[], appIds: readonly string[]): Sums {
  const clicks = appIds.map(() => 0);
  const places = new Map(appIds.map((appId, index) => [appId, index]));
  let known = 0;
  let all = 0;
  let total = 0;
  for (const { traffic, app_ids: page } of terms) {
    const searches = searchVolume(traffic);
    all += searches;
    if (page === null) continue;
    known += searches;
    total += searches * (clicksOnFirst[page.length] ?? 0);
    for (let at = 0; at < page.length; at += 1) {
      const index = places.get(page[at] as string);
      if (index !== undefined) clicks[index] = (clicks[index] ?? 0) + searches * clickShare(at + 1);
    }
  }
  return { clicks, total, known, all };
}

function toShares({ clicks, total, known, all }: Sums): (number | null)[] {
  const isKnown = total > 0 && isReadEnough(known, all);
  return clicks.map((one) => (isKnown ? one / total : null));
}

/**
 * A share as it is answered: four decimals, or one significant digit where these would make it 0. 0 is only that of an app on none of
 * the pages.
 */
export function roundShare(share: number): number {
  return round4(share) || Number(share.toPrecision(1));
}

/**
 * The share of all other apps: what the rounded shares leave of 1, so that the answer adds up. If they leave nothing although there are
 * others, it is the share of these.
 * @param shares of the apps that are shown, not rounded
 */
export function othersShare(shares: readonly number[]): number {
  return restOf(shares.map(roundShare)) || roundShare(restOf(shares));
}

/** The smallest share is 2e-8: of the last place of a term with traffic 0 among 49 with 100. What is far less is lost precision. */
function restOf(shares: readonly number[]): number {
  const rest = shares.reduce((left, share) => left - share, 1);
  return Math.max(0, Number(rest.toFixed(9)));
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
