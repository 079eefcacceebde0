import { normalizeKeyword } from '@shelfwise/facts/keyword';
import type { Tier } from '@shelfwise/facts/tiers';
import type { AimedTerm } from '../aimed-terms.ts';
import type { ReadListing } from '../read-listing.ts';
import { type GradedTerm, isGraded, verdictOf } from '../targeting.ts';
import { isSearched } from '../word-table.ts';
import type { FlagRule } from './flag-rule.ts';

const mostShare = 0.5;
const lowTraffic = 15;
const easyDifficulty = 25;

export const targetingFlags: readonly FlagRule[] = [
  {
    code: 'NO_SEARCHED_TERM',
    severity: 'critical',
    title: 'The listing aims at nothing that people search for',
    impact: 'No word and no phrase of it is searched: the app is found by those who know its name only.',
    fix: 'Choose a few searched terms that describe the app and write them into name and subtitle.',
    figures: ({ aimed }) => (isSettled(aimed) && !aimed.some(isSearched) ? { terms: aimed.length } : null),
  },
  {
    code: 'ALL_OUT_OF_REACH',
    severity: 'critical',
    title: 'Every term is out of reach',
    impact: 'Apps that are far bigger hold the first places of all the terms that the listing aims at.',
    fix: 'Aim at longer and more specific phrases, where the apps on top are closer to this one in size.',
    figures: ({ aimed }, tier) => {
      const { graded, beyond } = split(aimed, tier);
      if (!isGradedThrough(aimed) || beyond.length < graded.length) return null;
      return {
        terms: graded.length,
        lowest_difficulty: Math.min(...graded.map(({ difficulty }) => difficulty)),
      };
    },
  },
  {
    code: 'MOSTLY_OUT_OF_REACH',
    severity: 'warning',
    title: 'Most of the traffic is out of reach',
    impact: 'The terms with most of the demand are held by apps that are far bigger.',
    fix: 'Replace some of these terms by more specific ones of lower difficulty.',
    figures: ({ aimed }, tier) => {
      const { graded, beyond } = split(aimed, tier);
      if (!isSettled(aimed) || beyond.length === graded.length) return null;
      const share = trafficOf(beyond) / trafficOf(aimed);
      return share > mostShare ? { share: percent(share), terms: namesOf(beyond) } : null;
    },
  },
  {
    code: 'NO_REACHABLE_TERM',
    severity: 'warning',
    title: 'No term is within easy reach',
    impact:
      'Everything that the listing aims at is ambitious at best: it takes long until one of them ranks.',
    fix: 'Add a term or two of low difficulty that the app can win now.',
    figures: ({ aimed }, tier) => {
      const { graded, beyond } = split(aimed, tier);
      if (!isGradedThrough(aimed) || beyond.length === graded.length) return null;
      const isReachable = graded.some(({ difficulty }) => verdictOf(tier, difficulty) === 'reachable');
      return isReachable
        ? null
        : { lowest_difficulty: Math.min(...graded.map(({ difficulty }) => difficulty)) };
    },
  },
  {
    code: 'TARGETS_RIVAL_BRAND',
    severity: 'warning',
    title: 'The listing aims at the brand of another app',
    impact:
      'Who searches for a brand wants that app; and a store may refuse the use of a name that is protected.',
    fix: 'Replace the brand by words for what the app does.',
    figures: (listing) => {
      const rivals = listing.aimed.filter((term) => isSearched(term) && isRivalBrand(listing, term));
      return rivals.length > 0 ? { terms: namesOf(rivals) } : null;
    },
  },
  {
    code: 'LOW_DEMAND_FOCUS',
    severity: 'warning',
    title: 'The terms have little demand',
    impact: 'Even the first place for all of them would bring few visitors.',
    fix: 'Add a searched term or two with more traffic that the app can still reach.',
    figures: ({ aimed }) => {
      const searched = aimed.filter(isSearched);
      if (searched.length === 0 || !isSettled(aimed)) return null;
      const mean = trafficOf(searched) / searched.length;
      return mean < lowTraffic ? { mean_traffic: Math.round(mean * 10) / 10, terms: searched.length } : null;
    },
  },
  {
    code: 'TOO_EASY',
    severity: 'info',
    tiers: [3],
    title: 'The terms are easier than they have to be',
    impact: 'An established app can win terms that are searched far more.',
    fix: 'Aim at broader terms of higher traffic beside these.',
    figures: ({ aimed }) => {
      const graded = aimed.filter(isGraded);
      const highest = Math.max(...graded.map(({ difficulty }) => difficulty));
      return isGradedThrough(aimed) && highest < easyDifficulty ? { highest_difficulty: highest } : null;
    },
  },
  {
    code: 'UNGRADED_TERMS_HIGH',
    severity: 'info',
    title: 'Most terms have no difficulty yet',
    impact: 'Targeting is reckoned from the few terms whose results could be read.',
    fix: 'Nothing to do: it settles as their results are read.',
    figures: ({ aimed }) => {
      const ungraded = aimed.filter((term) => isSearched(term) && !isGraded(term));
      const settled = aimed.filter(({ standing }) => standing !== 'unsearched').length;
      return ungraded.length > mostShare * settled ? { ungraded: ungraded.length, terms: settled } : null;
    },
  },
];

/** Nothing that is still to be measured could change what is said of the whole. */
function isSettled(aimed: readonly AimedTerm[]): boolean {
  return aimed.every(({ standing }) => standing !== 'pending');
}

/** Of all searched terms, of which there are some, the difficulty is known. */
function isGradedThrough(aimed: readonly AimedTerm[]): boolean {
  const searched = aimed.filter(isSearched);
  return isSettled(aimed) && searched.length > 0 && searched.every(isGraded);
}

function split(aimed: readonly AimedTerm[], tier: Tier): { graded: GradedTerm[]; beyond: GradedTerm[] } {
  const graded = aimed.filter(isGraded);
  return {
    graded,
    beyond: graded.filter(({ difficulty }) => verdictOf(tier, difficulty) === 'out-of-reach'),
  };
}

function isRivalBrand({ input }: ReadListing, { brand }: AimedTerm): boolean {
  if (brand === null || brand.app_id === input.app_id) return false;
  return normalizeKeyword(brand.developer_name) !== normalizeKeyword(input.developer_name);
}

/** Of searched terms only: a word below the threshold may have a little. */
function trafficOf(terms: readonly AimedTerm[]): number {
  return terms.filter(isSearched).reduce((sum, { traffic }) => sum + (traffic ?? 0), 0);
}

function percent(share: number): number {
  return Math.round(100 * share);
}

function namesOf(terms: readonly AimedTerm[]): string[] {
  return terms.map(({ name }) => name);
}
