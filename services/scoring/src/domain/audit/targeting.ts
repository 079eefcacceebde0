import type { Tier } from '@shelfwise/facts/tiers';
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
/** The most that all terms of the app's own brand give together, in points of traffic. */
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
  const phrases = aimed
    .filter(({ searchStatus, words }) => searchStatus === 'searched' && words.length > 1)
    .map((phrase) => ({ phrase, text: textOf(phrase) }));
  const measured = graded.map((term) => measure(tier, term, phrases));
  const counted = countForms(measured);
  const sumOf = (isIn: (amount: TermAmount) => boolean, key: 'won' | 'lost') =>
    counted.reduce((sum, { amount }) => sum + (isIn(amount) ? amount[key] : 0), 0);
  const ofBrand = Math.min(
    maxOwnBrand,
    sumOf(({ isOwnBrand }) => isOwnBrand, 'won'),
  );
  const won = ofBrand + sumOf(({ isOwnBrand }) => !isOwnBrand, 'won');
  const lost = sumOf(() => true, 'lost');
  return {
    score: targetingScoreOf({ won, lost }),
    won,
    lost,
    terms: new Map(counted.map(({ term, amount }) => [term.name, amount])),
  };
}

/** Targeting of these sums, 0 to 100, not rounded. */
export function targetingScoreOf({ won, lost }: Pick<TargetingAmounts, 'won' | 'lost'>): number {
  if (won === 0) return 0;
  const amount = Math.max(0, won - lostShare * lost);
  return Math.max(1, 100 * (1 - Math.exp(-amount / fullAmount)));
}

type Measured = { term: GradedTerm; amount: TermAmount };

/** A searched phrase of the listing. `text`: its words as `textOf` writes them. */
type Phrase = { phrase: AimedTerm; text: string };

function measure(tier: Tier, term: GradedTerm, phrases: readonly Phrase[]): Measured {
  const { traffic, gain, isCommon } = term;
  const holders = holdersOf(term, phrases);
  const listingGain = takesLift(term) ? Math.max(gain, ...holders.map((phrase) => phrase.gain)) : gain;
  const isOwnBrand = [term, ...holders].some(isOfOwnBrand);
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

/** The phrases with more words in which those of a term follow each other. */
function holdersOf(term: AimedTerm, phrases: readonly Phrase[]): AimedTerm[] {
  const words = textOf(term);
  return phrases
    .filter(({ phrase, text }) => phrase.words.length > term.words.length && text.includes(words))
    .map(({ phrase }) => phrase);
}

/** The words with a space on both sides of each. */
function textOf({ words }: AimedTerm): string {
  return ` ${words.join(' ')} `;
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

/**
 * Terms of one form count once: the one that brings most among those that win anything, otherwise the one that loses most.
 * If one of them is the own brand, all are.
 */
function countForms(measured: readonly Measured[]): Measured[] {
  const byForm = new Map<string, Measured[]>();
  for (const one of measured) {
    const forms = byForm.get(one.term.form);
    if (forms) forms.push(one);
    else byForm.set(one.term.form, [one]);
  }
  return measured.map(({ term, amount }) => {
    const forms = byForm.get(term.form) ?? [];
    const isOwnBrand = forms.some((other) => other.amount.isOwnBrand);
    const shared = { ...amount, isOwnBrand, lost: isOwnBrand ? 0 : amount.lost };
    const counted = countedForm(forms, isOwnBrand);
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
