import type { Tier } from '@shelfwise/facts/tiers';
import { groupBy } from '@shelfwise/runtime/group-by';
import type { AimedTerm } from './aimed-terms.ts';
import { creditOf, type Verdict, verdictOf } from './reach.ts';
import { takesLift } from './term-fit.ts';

/** A term with a known traffic and difficulty. */
export type GradedTerm = AimedTerm & { traffic: number; difficulty: number };

export function isGraded(term: AimedTerm): term is GradedTerm {
  return term.searchStatus === 'searched' && term.traffic !== null && term.difficulty !== null;
}

/** What `lost` costs compared with what `won` brings. */
export const lostShare = 0.4;
/** The amount, in points of traffic, at which targeting is 63. */
const fullAmount = 160;
/** The most that all terms of the app's own brand, and the words in them, give together, in points of traffic. */
const maxOwnBrand = 100;

/** What decides a verdict; the first that applies. `held`: the app ranks 10 or better. */
export type Reason = 'rival-brand' | 'not-your-business' | 'too-hard' | 'held';

/** What one graded term adds to targeting. Amounts are in points of traffic, not rounded. */
export type TermAmount = {
  /** 0 to 1: the best gain of the term and of the searched phrases that hold it */
  listingGain: number;
  /** 0 to 1 */
  credit: number;
  /** `traffic * gain * credit`; 0 for a form that does not count */
  won: number;
  /** `traffic * (1 - listingGain)`; 0 for the own brand, common words, and a form that does not count */
  lost: number;
  /** It counts within the limit of the own brand. */
  isOwnBrand: boolean;
  /** The form that counts in its place; null: it counts itself. */
  sameAs: string | null;
  verdict: Verdict;
  reason: Reason | null;
};

/** The sums behind the targeting of a listing. */
export type TargetingAmounts = {
  /** 0 to 100, not rounded */
  score: number;
  won: number;
  lost: number;
  /** by name of the graded terms */
  terms: ReadonlyMap<string, TermAmount>;
};

/**
 * Targeting is an amount: `100 * (1 - exp(-(won - .4 * lost) / 160))`, at least 1 while anything is won, otherwise 0. One more
 * term that can be won never lowers it, and one that is not the app's business costs. Null: no term is graded.
 * (docs/scores.md, targeting)
 */
export function targetingOf(tier: Tier, aimed: readonly AimedTerm[]): TargetingAmounts | null {
  const graded = aimed.filter(isGraded);
  if (graded.length === 0) return null;
  const holders = holdersByWords(aimed);
  const measured = graded.map((term) => measure(tier, term, holders.get(wordsKey(term)) ?? []));
  const counted = [...groupByForm(measured).values()].flatMap(countForms);
  const sums = sumsOf(counted);
  return {
    score: targetingScoreOf({ won: wonIn(sums), lost: sums.lost }),
    won: wonIn(sums),
    lost: sums.lost,
    terms: new Map(counted.map(({ term, amount }) => [term.name, amount])),
  };
}

/** What further terms would make of a targeting. */
export type TargetingTrial = (added: readonly AimedTerm[]) => {
  /** as `TargetingAmounts` */
  score: number;
  /** undefined: the term is not graded */
  amountOf: (name: string) => TermAmount | undefined;
};

/**
 * Returns the targeting of a listing with further terms, none of which it has, as `targetingOf` of all. Only the added terms,
 * those that they hold and their forms are computed again.
 */
export function createTargetingTrial(tier: Tier, aimed: readonly AimedTerm[]): TargetingTrial {
  const holders = holdersByWords(aimed);
  const graded = aimed.filter(isGraded);
  const groups = groupByForm(graded.map((term) => measure(tier, term, holders.get(wordsKey(term)) ?? [])));
  const sumsByForm = new Map([...groups].map(([form, forms]) => [form, sumsOf(countForms(forms))]));
  const sums = [...sumsByForm.values()].reduce((total, one) => add(total, one), noSums);
  const gradedByWords = groupBy(graded, wordsKey);
  return (added) => {
    const addedHolders = holdersByWords(added);
    const again = (term: GradedTerm) => {
      const key = wordsKey(term);
      return measure(tier, term, [...(holders.get(key) ?? []), ...(addedHolders.get(key) ?? [])]);
    };
    const addedByForm = groupBy(added.filter(isGraded), ({ form }) => form);
    const innerTerms = [...addedHolders.keys()].flatMap((key) => gradedByWords.get(key) ?? []);
    const forms = new Set([...addedByForm.keys(), ...innerTerms.map(({ form }) => form)]);
    const counted = [...forms].flatMap((form) =>
      countForms(
        [...(groups.get(form) ?? []).map(({ term }) => term), ...(addedByForm.get(form) ?? [])].map(again),
      ),
    );
    const unchanged = [...forms].reduce((rest, form) => add(rest, sumsByForm.get(form) ?? noSums, -1), sums);
    const tried = add(unchanged, sumsOf(counted));
    return {
      score: targetingScoreOf({ won: wonIn(tried), lost: tried.lost }),
      amountOf: (name) => counted.find(({ term }) => term.name === name)?.amount,
    };
  };
}

/** In points of traffic: what the own brand wins before its limit, what all other terms win, and what is lost. */
type Sums = { brand: number; others: number; lost: number };

const noSums: Sums = { brand: 0, others: 0, lost: 0 };

function sumsOf(counted: readonly Measured[]): Sums {
  const sums = { ...noSums };
  for (const { amount } of counted) {
    sums[amount.isOwnBrand ? 'brand' : 'others'] += amount.won;
    sums.lost += amount.lost;
  }
  return sums;
}

function add(sums: Sums, { brand, others, lost }: Sums, sign = 1): Sums {
  return {
    brand: sums.brand + sign * brand,
    others: sums.others + sign * others,
    lost: sums.lost + sign * lost,
  };
}

function wonIn({ brand, others }: Sums): number {
  return Math.min(maxOwnBrand, brand) + others;
}

/** Targeting of these sums, 0 to 100, not rounded. */
export function targetingScoreOf({ won, lost }: Pick<TargetingAmounts, 'won' | 'lost'>): number {
  if (won === 0) return 0;
  const amount = Math.max(0, won - lostShare * lost);
  return Math.max(1, 100 * (1 - Math.exp(-amount / fullAmount)));
}

type Measured = { term: GradedTerm; amount: TermAmount };

/** @param holders the searched phrases of the listing that hold the term */
function measure(tier: Tier, term: GradedTerm, holders: readonly AimedTerm[]): Measured {
  const { traffic, gain, isCommon } = term;
  const listingGain = takesLift(term) ? Math.max(gain, ...holders.map((phrase) => phrase.gain)) : gain;
  // Only words: a phrase within one that begins with the brand (`file manager`) counts by itself.
  const isOwnBrand = isOfOwnBrand(term) || (term.words.length === 1 && holders.some(isOfOwnBrand));
  const credit = creditOf(tier, term);
  const isWinnable = gain * credit >= lostShare * (1 - listingGain);
  const verdict = verdictOf(tier, term, isWinnable);
  const amount = {
    listingGain,
    credit,
    won: traffic * gain * credit,
    lost: isOwnBrand || isCommon ? 0 : traffic * (1 - listingGain),
    isOwnBrand,
    sameAs: null,
    verdict,
    reason: reasonOf(term, { listingGain, verdict }),
  };
  return { term, amount };
}

function wordsKey({ words }: Pick<AimedTerm, 'words'>): string {
  return words.join(' ');
}

/** By the words of a term: the searched phrases that have more words, and these words one after the other. */
function holdersByWords(aimed: readonly AimedTerm[]): Map<string, AimedTerm[]> {
  const holders = new Map<string, AimedTerm[]>();
  for (const phrase of aimed) {
    if (phrase.searchStatus !== 'searched') continue;
    for (const part of partsOf(phrase.words)) addTo(holders, part, phrase);
  }
  return holders;
}

function addTo<Item>(groups: Map<string, Item[]>, key: string, item: Item): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}

/** The runs of fewer words, each once. */
function partsOf(words: readonly string[]): Set<string> {
  const parts = new Set<string>();
  for (let length = 1; length < words.length; length++)
    for (let from = 0; from + length <= words.length; from++)
      parts.add(words.slice(from, from + length).join(' '));
  return parts;
}

function isOfOwnBrand({ brandRole, gain }: AimedTerm): boolean {
  return brandRole === 'own' && gain > 0;
}

function reasonOf(
  { brandRole, gain, rank }: GradedTerm,
  { listingGain, verdict }: Pick<TermAmount, 'listingGain' | 'verdict'>,
): Reason | null {
  if (brandRole === 'rival' && gain === 0) return 'rival-brand';
  // Not even an app that is certain to rank could win it.
  if (gain < lostShare * (1 - listingGain)) return 'not-your-business';
  if (verdict === 'out-of-reach') return 'too-hard';
  return rank !== null && rank <= 10 ? 'held' : null;
}

function groupByForm(measured: readonly Measured[]): Map<string, Measured[]> {
  return groupBy(measured, ({ term }) => term.form);
}

/**
 * Terms of one form count once: the one that brings most among those that win anything, otherwise the one that loses most.
 * If one of them is the own brand, all are.
 */
function countForms(forms: readonly Measured[]): Measured[] {
  const isOwnBrand = forms.some(({ amount }) => amount.isOwnBrand);
  const counted = countedForm(forms, isOwnBrand);
  return forms.map(({ term, amount }) => {
    const shared = { ...amount, isOwnBrand, lost: isOwnBrand ? 0 : amount.lost };
    if (counted === term.name) return { term, amount: shared };
    return { term, amount: { ...shared, won: 0, lost: 0, sameAs: counted } };
  });
}

function countedForm(forms: readonly Measured[], isOwnBrand: boolean): string | null {
  const worthOf = ({ won, lost }: TermAmount) => won - (isOwnBrand ? 0 : lostShare * lost);
  const winning = forms.filter(({ amount }) => amount.won > 0);
  const [best = null] = (winning.length > 0 ? winning : forms).toSorted(
    ({ amount: a, term: one }, { amount: b, term: other }) =>
      (winning.length > 0 ? worthOf(b) - worthOf(a) : worthOf(a) - worthOf(b)) ||
      (one.name < other.name ? -1 : 1),
  );
  return best?.term.name ?? null;
}
