import { evidence } from '@shelfwise/facts/text/evidence';
import { dayMs } from '@shelfwise/runtime/day';
import { representativeTerm } from './cluster-results.ts';
import { type KnownValues, knownValues, lowerMedian, upperMedian } from './medians.ts';
import type { NicheApp, NicheContext, NicheTerm } from './niche-term.ts';
import { bestKeyword, keywordValue } from './opportunity.ts';

/** Something that the leaders of a cluster leave open. */
export type Gap = {
  /** 0 to 1 */
  strength: number;
  /** a clause with the figure that shows it */
  clause: string;
};

/** Fewer results are a gap by themselves. */
const minResults = 5;
/** An app with so many ratings is not weak (spec: scoring, S of the difficulty), and no room when it stands among the first. */
export const strongRatings = 10_000;
const firstPlaces = 5;
const behindStrong = 0.75;
/** From this evidence on a title contains all words of a term. */
const minTitleEvidence = 0.85;
/**
 * Up to this difficulty a term is credited with half or more to an app that is just beginning: `mid` of its tier, between
 * the bounds of what it reaches (25) and of what is ambitious (45). (spec: scoring, tier and targeting)
 */
const maxEasyDifficulty = 35;
const monthDays = 30.44;

/**
 * What the leaders leave open; of equals the earlier one is to be preferred. It is about the term whose results are
 * those of the cluster most (`representativeTerm`), and says so, so that anybody can look it up; figures that are not known
 * are left out, never taken for 0.
 * @param terms of a cluster, most traffic first
 */
export function gapsOf(
  terms: readonly NicheTerm[],
  { lang, now }: Pick<NicheContext, 'lang' | 'now'>,
): Gap[] {
  const term = representativeTerm(terms);
  if (term === null) return [];
  const spoken = terms.length === 1 ? 'it' : `“${term.keyword}”`;
  const where = forKeyword(term, terms);
  return [
    fewResults(term, spoken),
    weakLeaders(term.top, where),
    easyKeyword(terms),
    staleLeaders(term.top, where, now),
    fewTitles(term, spoken, lang),
  ].filter((gap) => gap !== null);
}

/** What is added to `apps` to say whose results they are. */
export function forKeyword({ keyword }: NicheTerm, terms: readonly NicheTerm[]): string {
  return terms.length === 1 ? '' : ` for “${keyword}”`;
}

/** Nothing else says as much; but that a brand is alone under its name is no gap. */
function fewResults({ top, isNavigational }: NicheTerm, spoken: string): Gap | null {
  const apps = ['no app', 'only one app', 'only two apps', 'only three apps', 'only four apps'][top.length];
  if (apps === undefined || isNavigational) return null;
  return { strength: 1, clause: `the store finds ${apps} for ${spoken}` };
}

/**
 * A median of no ratings is 1, `strongRatings` are 0. Where one of the first places is strong, only the places behind it are
 * open, which is worth less.
 */
function weakLeaders(top: readonly NicheApp[], where: string): Gap | null {
  const counts = knownValues(top.map(({ ratings }) => ratings));
  const median = lowerMedian(counts);
  if (median === null) return null;
  const few = median === 0 ? 'no ratings yet' : `at most ${formatRatings(median)}`;
  const isLed = firstPlacesOf(top).maxRatings >= strongRatings;
  const room = isLed ? 'only some of the leaders are strong' : 'there is room among the leaders';
  return {
    strength: (isLed ? behindStrong : 1) * clamp(1 - Math.log10(1 + median) / Math.log10(strongRatings)),
    clause: `${room}, ${halfOfApps(counts, where, 'ratings are')} have ${few}`,
  };
}

/** How many first places there are, and the most ratings that one of them is known to have. */
export function firstPlacesOf(top: readonly NicheApp[]): { count: number; maxRatings: number } {
  const first = top.slice(0, firstPlaces);
  return { count: first.length, maxRatings: Math.max(0, ...first.map(({ ratings }) => ratings ?? 0)) };
}

/** A keyword worth 60 is 1. */
function easyKeyword(terms: readonly NicheTerm[]): Gap | null {
  const best = bestKeyword(terms.filter(({ difficulty }) => difficulty <= maxEasyDifficulty));
  if (best === null) return null;
  return {
    strength: clamp(keywordValue(best) / 60),
    clause: `${terms.length === 1 ? 'it' : `“${best.keyword}”`} is searched and easy to rank for (traffic ${best.traffic}, difficulty ${best.difficulty})`,
  };
}

/** A median of four months without an update is 0, two years are 1. */
function staleLeaders(top: readonly NicheApp[], where: string, now: Date): Gap | null {
  const ages = knownValues(
    top.map((app) => app.updated_at && (now.getTime() - app.updated_at.getTime()) / dayMs),
  );
  const median = upperMedian(ages);
  if (median === null) return null;
  const months = Math.floor(median / monthDays);
  return {
    strength: clamp((months - 4) / 20),
    clause: `the leaders are neglected, ${halfOfApps(ages, where, 'last update is')} were not updated for ${months} months`,
  };
}

/** No title is .6, half of them are 0: apps also rank by what is not in their titles. */
function fewTitles({ keyword, top }: NicheTerm, spoken: string, lang: string): Gap | null {
  if (top.length < minResults) return null;
  const titles = top.filter(({ title }) => evidence(keyword, title, lang) >= minTitleEvidence).length;
  const few = titles === 0 ? 'none' : `only ${titles}`;
  return {
    strength: 0.6 * clamp(1 - (2 * titles) / top.length),
    clause: `${few} of the first ${top.length} titles ${titles > 1 ? 'name' : 'names'} ${spoken}`,
  };
}

/**
 * `half of the first 10 apps for “x”`, or `half of the 6 apps for “x” whose ratings are known`.
 * @param what is known of some of them only, with its verb
 */
export function halfOfApps({ values, of }: KnownValues, where: string, what: string): string {
  return values.length === of
    ? `half of the first ${of} apps${where}`
    : `half of the ${values.length} apps${where} whose ${what} known`;
}

export function formatRatings(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'rating' : 'ratings'}`;
}

/** As English writes it: `12,000`. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat('en-US').format(count);
}

function clamp(x: number): number {
  return Math.min(1, Math.max(0, x));
}
