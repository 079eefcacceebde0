import { evidence } from '@shelfwise/facts/text/evidence';
import { dayMs } from '@shelfwise/runtime/day';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { representativeTerm } from './cluster-results.ts';
import { bestKeyword, keywordValue } from './keyword-value.ts';
import { type KnownValues, knownValues, lowerMedian, upperMedian } from './medians.ts';
import type { NicheApp, NicheContext, NicheTerm } from './niche-term.ts';

/** An opening that the leaders of a cluster leave. */
export type Gap = {
  /** 0 to 1 */
  strength: number;
  /** what an app would do better than the leaders; continues `An app for “x”` */
  advantage: string;
  /** a clause with the figures that show the gap */
  figures: string;
};

/** Fewer results for a term are a gap by themselves. */
const minResults = 5;
/** An app with this many ratings is strong: fully "not weak" in the difficulty (docs/scores.md). */
export const strongRatings = 10_000;
const firstApps = 5;
/** Factor for the strength of weak leaders when one of the first apps is strong. */
const behindStrong = 0.75;
/** From this evidence on, a title contains all words of a term. */
const minTitleEvidence = 0.85;
/**
 * At or below this difficulty an app of tier 1 gets at least half of a term's targeting credit (`mid`; docs/scores.md,
 * targeting).
 */
const maxEasyDifficulty = 35;
/** Average length of a month, in days. */
const monthDays = 30.44;

/**
 * The gaps of a cluster, of any strength; of equally strong ones the first is preferred. Gaps in the results are those
 * of the representative term, which they name. Unknown figures never count as 0.
 * @param terms of a cluster, most traffic first
 */
export function gapsOf(
  terms: readonly NicheTerm[],
  { lang, now }: Pick<NicheContext, 'lang' | 'now'>,
): Gap[] {
  const term = representativeTerm(terms);
  if (term === null) return [];
  // For a single term, the sentence has just named it.
  const subject = terms.length === 1 ? 'it' : `“${term.keyword}”`;
  const where = forKeyword(term, terms);
  return [
    fewResults(term, subject),
    weakLeaders(term.top, where),
    easyKeyword(terms),
    staleLeaders(term.top, where, now),
    fewTitles(term, subject, lang),
  ].filter((gap) => gap !== null);
}

/** Names the term of the results after `apps`; empty for a single term. */
export function forKeyword({ keyword }: NicheTerm, terms: readonly NicheTerm[]): string {
  return terms.length === 1 ? '' : ` for “${keyword}”`;
}

/** Fewer than `minResults`: the strength is 1. A brand whose name leads to few apps is no gap. */
function fewResults({ top, isNavigational }: NicheTerm, subject: string): Gap | null {
  const howMany = ['no app', 'only one app', 'only two apps', 'only three apps', 'only four apps'][
    top.length
  ];
  if (howMany === undefined || isNavigational) return null;
  return {
    strength: 1,
    advantage: ' that serves what hardly any app does',
    figures: `the store finds ${howMany} for ${subject}`,
  };
}

/** The strength is 1 at a median of 0 ratings and 0 at `strongRatings`. Behind a strong first app less is open. */
function weakLeaders(top: readonly NicheApp[], where: string): Gap | null {
  const counts = knownValues(top.map(({ ratings }) => ratings));
  const median = lowerMedian(counts);
  if (median === null) return null;
  const { count, maxRatings } = firstAppsOf(top);
  const isLed = maxRatings >= strongRatings;
  const ratings = median === 0 ? 'no ratings yet' : `at most ${formatRatings(median)}`;
  const strongest = isLed
    ? `, though the strongest of the first ${count} has ${formatCount(maxRatings)}`
    : '';
  return {
    strength: (isLed ? behindStrong : 1) * clamp(1 - Math.log10(1 + median) / Math.log10(strongRatings)),
    advantage: ' with more ratings than many of today’s leaders',
    figures: `${halfOfApps(counts, where, 'ratings are')} have ${ratings}${strongest}`,
  };
}

/** The number of first apps, and the most ratings known for one of them. */
export function firstAppsOf(top: readonly NicheApp[]): { count: number; maxRatings: number } {
  const first = top.slice(0, firstApps);
  return { count: first.length, maxRatings: Math.max(0, ...first.map(({ ratings }) => ratings ?? 0)) };
}

/**
 * The term with the highest value among the easy ones. The strength is .5 from a value of 60 on, an excellent KEI: what
 * the leaders lack says more.
 */
function easyKeyword(terms: readonly NicheTerm[]): Gap | null {
  const best = bestKeyword(terms.filter(({ difficulty }) => difficulty <= maxEasyDifficulty));
  if (best === null) return null;
  return {
    strength: 0.5 * clamp(keywordValue(best) / 60),
    advantage:
      terms.length === 1
        ? ', which is searched and easy to rank for'
        : ' with a search that is easy to rank for',
    figures: startWith(best, terms),
  };
}

/** The strength is 0 up to a median of four months without an update, and 1 from two years on. */
function staleLeaders(top: readonly NicheApp[], where: string, now: Date): Gap | null {
  const ages = knownValues(
    top.map((app) => app.updated_at && (now.getTime() - app.updated_at.getTime()) / dayMs),
  );
  const median = upperMedian(ages);
  if (median === null) return null;
  const months = Math.floor(median / monthDays);
  return {
    strength: clamp((months - 4) / 20),
    advantage: ' that is kept up to date, unlike many of today’s leaders',
    figures: `${halfOfApps(ages, where, 'last update is')} have not been updated for ${months} months`,
  };
}

/** The strength is .6 when no title names the term, and 0 from half of them on: apps also rank by other text. */
function fewTitles({ keyword, top }: NicheTerm, subject: string, lang: string): Gap | null {
  if (top.length < minResults) return null;
  const titles = top.filter(({ title }) => evidence(keyword, title, lang) >= minTitleEvidence).length;
  const howMany = titles === 0 ? 'none' : `only ${titles}`;
  return {
    strength: 0.6 * clamp(1 - (2 * titles) / top.length),
    advantage: ` whose title names ${subject}, unlike many of today’s leaders`,
    figures: `${howMany} of the first ${top.length} titles ${titles > 1 ? 'do' : 'does'}`,
  };
}

/**
 * `half of the first 10 apps for “x”`, or `half of the 6 apps for “x” whose ratings are known`.
 * @param where as from `forKeyword`
 * @param knownFigure what is known of some apps only, with its verb, such as `ratings are`
 */
export function halfOfApps({ values, of }: KnownValues, where: string, knownFigure: string): string {
  return values.length === of
    ? `half of the first ${of} apps${where}`
    : `half of the ${values.length} apps${where} whose ${knownFigure} known`;
}

/** The scores of a keyword with which an app would start. */
export function startWith({ keyword, traffic, difficulty }: NicheTerm, terms: readonly NicheTerm[]): string {
  const start = terms.length === 1 ? 'the search has' : `the best start is “${keyword}” with`;
  return `${start} traffic ${traffic} at difficulty ${difficulty}`;
}

export function formatRatings(count: number): string {
  return `${formatCount(count)} ${nounFor(count, 'rating')}`;
}

/** In English format: `12,000`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

function clamp(x: number): number {
  return Math.min(1, Math.max(0, x));
}
