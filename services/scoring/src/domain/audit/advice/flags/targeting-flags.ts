import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { isRead, isSearched } from '../../../keyword/search-status.ts';
import { titleHead } from '../../../text/title-parts.ts';
import type { AimedTerm } from '../../axes/aimed-terms.ts';
import { minRelevantGain } from '../../axes/relevance.ts';
import { type GradedTerm, isGraded } from '../../axes/targeting.ts';
import { fieldOf, type ReadListing } from '../../read-listing.ts';
import type { FlagRule } from './flag-rule.ts';

/** More than this share is "most". */
const mostShare = 0.5;
/** Mean and highest traffic, and highest difficulty, all on the scale of 0 to 100. */
const lowTraffic = 15;
const maxTraffic = 100;
const easyDifficulty = 25;
/** `IRRELEVANT_WORDS` is raised if more than this share of the traffic is not the app's business. */
const irrelevantShare = 0.25;

export const targetingFlags: readonly FlagRule[] = [
  {
    code: 'NO_SEARCHED_TERM',
    severity: 'critical',
    title: 'The listing aims at nothing that people search for',
    impact: 'None of its words and phrases is searched for: only people who know the name find the app.',
    fix: 'Choose a few searched terms that describe the app and put them into the name and the subtitle (Google Play: the short description).',
    asksForWords: 'any',
    findEvidence: (listing) => {
      const { aimed } = listing;
      return isFullyRead(listing) && !aimed.some(isSearched) ? { terms: aimed.length } : null;
    },
  },
  {
    code: 'ALL_OUT_OF_REACH',
    severity: 'critical',
    title: 'Every term is out of reach',
    impact:
      'Far bigger apps, or apps of another kind, hold the top places for every term that the listing aims at.',
    fix: 'Aim at longer and more specific phrases for what the app does, where the top apps are closer to this one in size.',
    asksForWords: 'any',
    findEvidence: (listing) => {
      if (!isAllBeyond(listing)) return null;
      const graded = listing.aimed.filter(isGraded);
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
    impact: 'Far bigger apps, or apps of another kind, hold the terms with most of the demand.',
    fix: 'Replace some of these terms with more specific ones for what the app does, of lower difficulty.',
    asksForWords: 'any',
    findEvidence: (listing) => {
      const { aimed } = listing;
      const beyond = beyondReach(listing);
      const isPending = aimed.some(({ searchStatus }) => searchStatus === 'pending');
      if (isPending || beyond.length === 0 || isAllBeyond(listing)) return null;
      // An ungraded term may prove to be within reach, with any traffic.
      const ungraded = aimed.filter(({ searchStatus }) => searchStatus === 'ungraded').length;
      const share = trafficOf(beyond) / (trafficOf(aimed.filter(isRead)) + maxTraffic * ungraded);
      return share > mostShare ? { share: percentAbove(share), terms: namesOf(beyond) } : null;
    },
  },
  {
    code: 'NO_REACHABLE_TERM',
    severity: 'warning',
    title: 'No term is within easy reach',
    impact: 'Everything that the listing aims at is hard to win for an app of this size.',
    fix: 'Add a term or two of low difficulty that the app can win now.',
    asksForWords: 'any',
    findEvidence: (listing) => {
      if (!isFullyGraded(listing) || isAllBeyond(listing)) return null;
      const graded = listing.aimed.filter(isGraded);
      const isReachable = graded.some(
        (term) => term.brandRole === 'own' || verdictIn(listing, term) === 'reachable',
      );
      return isReachable
        ? null
        : { lowest_difficulty: Math.min(...graded.map(({ difficulty }) => difficulty)) };
    },
  },
  {
    code: 'TARGETS_RIVAL_BRAND',
    severity: 'warning',
    title: 'The listing aims at the brand of another app',
    impact: 'People who search for a brand want that app, and a store may refuse a protected name.',
    fix: 'Replace the brand with words for what the app does.',
    asksForWords: 'any',
    findEvidence: (listing) => {
      const rivals = rivalTerms(listing);
      return rivals.length > 0 ? { terms: namesOf(rivals) } : null;
    },
  },
  {
    code: 'IRRELEVANT_WORDS',
    severity: 'warning',
    title: 'Many terms are not this app’s business',
    impact:
      'People who search for them look for other apps: they bring no visitors and take room from words that would.',
    fix: 'Replace these words with searched words for what the app does.',
    asksForWords: 'any',
    findEvidence: ({ aimed, protectedTerms, input }) => {
      const isIrrelevant = (term: AimedTerm) => isGraded(term) && term.gain < minRelevantGain;
      const own = ownName(input);
      const irrelevant = aimed.filter(
        (term) => isIrrelevant(term) && !protectedTerms.has(term.name) && term.name !== own,
      );
      // A term that is not read may prove relevant, with any traffic.
      const unread = aimed.filter((term) => !isRead(term)).length;
      const share = trafficOf(irrelevant) / (trafficOf(aimed.filter(isRead)) + maxTraffic * unread);
      return share > irrelevantShare ? { share: percentAbove(share), words: namesOf(irrelevant) } : null;
    },
  },
  {
    code: 'LOW_DEMAND_FOCUS',
    severity: 'warning',
    title: 'The terms have little demand',
    impact: 'Even the first place for all of them would bring few visitors.',
    fix: 'Add a searched term or two with more traffic that the app can still reach.',
    asksForWords: 'any',
    findEvidence: ({ aimed }) => {
      const searched = aimed.filter(isSearched);
      if (searched.length === 0 || !isFullyMeasured(aimed)) return null;
      const mean = trafficOf(searched) / searched.length;
      return mean < lowTraffic ? { mean_traffic: oneDecimalBelow(mean), terms: searched.length } : null;
    },
  },
  {
    code: 'TOO_EASY',
    severity: 'info',
    tiers: [3],
    title: 'The terms are easier than necessary',
    impact: 'An established app can win terms that are searched far more.',
    fix: 'Also aim at broader terms with more traffic.',
    asksForWords: 'any',
    findEvidence: (listing) => {
      const graded = listing.aimed.filter(isGraded);
      const highest = Math.max(...graded.map(({ difficulty }) => difficulty));
      return isFullyGraded(listing) && highest < easyDifficulty ? { highest_difficulty: highest } : null;
    },
  },
  {
    code: 'UNGRADED_TERMS_HIGH',
    severity: 'info',
    title: 'Most terms have no difficulty yet',
    impact: 'Targeting is computed from the few terms whose results could be read.',
    fix: 'Nothing to do: the difficulties follow as the results are read.',
    findEvidence: ({ aimed }) => {
      const ungraded = aimed.filter((term) => isSearched(term) && !isGraded(term));
      // Includes pending terms: they may prove searched and graded.
      const relevant = aimed.filter(({ searchStatus }) => searchStatus !== 'unsearched').length;
      return ungraded.length > mostShare * relevant ? { ungraded: ungraded.length, terms: relevant } : null;
    },
  },
];

/** Whether every term is read, so that no later measurement can change what is searched, or how much. */
function isFullyMeasured(aimed: readonly AimedTerm[]): boolean {
  return aimed.every(isRead);
}

/**
 * Whether all terms of the name and the subtitle are known, so that a statement about "all terms" holds. The keywords
 * field is not required: the store never shows that of a live listing.
 */
function isFullyRead(listing: ReadListing): boolean {
  return isFullyMeasured(listing.aimed) && fieldOf(listing, 'subtitle')?.state !== 'missing';
}

/** Whether there are searched terms and the difficulty of all of them is known. */
function isFullyGraded(listing: ReadListing): boolean {
  const searched = listing.aimed.filter(isSearched);
  return isFullyRead(listing) && searched.length > 0 && searched.every(isGraded);
}

/** Whether there are searched terms and all of them are out of reach. */
function isAllBeyond(listing: ReadListing): boolean {
  const graded = listing.aimed.filter(isGraded);
  return isFullyGraded(listing) && beyondReach(listing).length === graded.length;
}

function beyondReach(listing: ReadListing): GradedTerm[] {
  return listing.aimed.filter(isGraded).filter((term) => verdictIn(listing, term) === 'out-of-reach');
}

function verdictIn({ amounts }: ReadListing, { name }: GradedTerm) {
  return amounts?.terms.get(name)?.verdict;
}

/** The searched terms of the listing that name another developer's brand, without those that no flag advises to drop. */
export function rivalTerms(listing: ReadListing): AimedTerm[] {
  return listing.aimed.filter(
    (term) => isSearched(term) && !listing.protectedTerms.has(term.name) && isForeignBrand(listing, term),
  );
}

/**
 * Whether the term is another developer's brand. The name in the listing's own title is not, even if the store shows
 * another app first for it.
 */
function isForeignBrand({ input }: ReadListing, term: AimedTerm): boolean {
  return term.brandRole === 'rival' && term.name !== ownName(input);
}

/** The title up to its first separator, in normal form: that in the store, because a draft may begin with any name. */
function ownName({ texts, live_title: liveTitle, storefront }: ReadListing['input']): string {
  return normalizeKeyword(titleHead(liveTitle ?? texts.title ?? '', storefront.lang));
}

/** The sum of the searched terms' traffic. Unsearched terms have some traffic too, which does not count. */
function trafficOf(terms: readonly AimedTerm[]): number {
  return terms.filter(isSearched).reduce((sum, { traffic }) => sum + (traffic ?? 0), 0);
}

/** Tolerance for floating-point errors in sums and products. */
const tiny = 1e-9;

/** In percent, rounded up to one decimal, so that a share above a threshold is shown above it. */
function percentAbove(share: number): number {
  return Math.ceil(1000 * share - tiny) / 10;
}

/** Rounded down to one decimal, so that a value below a threshold is shown below it. */
function oneDecimalBelow(value: number): number {
  return Math.floor(10 * value + tiny) / 10;
}

function namesOf(terms: readonly AimedTerm[]): string[] {
  return terms.map(({ name }) => name);
}
