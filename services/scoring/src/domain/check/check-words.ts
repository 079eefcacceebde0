import type { ListingField, ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import { type Store, storeInSentence } from '@shelfwise/facts/stores/store';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';
import { createWarning, quote, type WarningLevel } from './check-warning.ts';
import { findAmounts } from './find-amounts.ts';
import { createPhraseFinder, type Phrase } from './phrase-finder.ts';
import { type PolicyRule, policies } from './policy.ts';
import { callToActionWords } from './policy-words/call-to-action-words.ts';
import { kidsWords } from './policy-words/kids-words.ts';
import { playProgramWords } from './policy-words/play-program-words.ts';
import { priceWords } from './policy-words/price-words.ts';
import { rankingWords } from './policy-words/ranking-words.ts';
import { rivalPlatformWords } from './policy-words/rival-platform-words.ts';
import type { RuleWords } from './policy-words/word-table.ts';
import { createWrittenPart, readableText } from './text-units.ts';

/** The objects of the sentence "Google Play refuses …". */
const descriptions: Readonly<Record<PolicyRule, string>> = {
  price: 'words about price or promotions',
  ranking: 'claims of a rank',
  'play-program': 'mentions of its programs, awards or download counts',
  'call-to-action': 'calls to download, install, play, update or try',
  kids: 'claims to be an app for children',
  'rival-platform': 'names of another platform',
};

/** A text is read up to this multiple of its limit; what is longer is refused for its length anyway. */
export const limitsRead = 4;

/** Built once; the word tables are constant. */
const finders = { ITUNES: createWordFinder('ITUNES'), GPLAY: createWordFinder('GPLAY') } as const;

/**
 * Finds the words that the store's policy does not want in this field: one warning per violated rule, in the order of
 * `policies`. In a title, amounts of money count as words about price. Whole words match, in any letter case and in all 14
 * listed languages, whatever the draft's language is.
 */
export function checkWords(store: Store, { key, label, limit }: ListingField, text: string): CheckWarning[] {
  const policy = policies[store][key];
  if (!policy) return [];
  const max = limitsRead * limit;
  const found = finders[store](text, max);
  const amounts = key === 'title' ? amountsIn(text, max) : [];
  return Object.entries(policy).flatMap(([name, level]) => {
    const rule = name as PolicyRule;
    const words = [...(found.get(rule) ?? []), ...(rule === 'price' ? amounts : [])];
    if (words.length === 0) return [];
    const where = `${descriptions[rule]} in the ${label}: ${quote(words)}.`;
    const advice = rule === 'rival-platform' ? '' : ' They may stay if they are part of the brand.';
    return [createWarning(level, `${verdictOf(store, key, rule, level)} ${where}${advice}`, rule)];
  });
}

function verdictOf(store: Store, key: ListingFieldKey, rule: PolicyRule, level: WarningLevel): string {
  if (level === 'error') return `${storeInSentence(store)} refuses`;
  if (store === 'GPLAY' && key === 'subtitle' && rule !== 'rival-platform')
    return 'Google Play may not promote an app with';
  return `A reviewer of ${storeInSentence(store)} may object to`;
}

/** The amounts of money of a title, as written, each once. In other texts they are as often what the app is about. */
function amountsIn(title: string, max: number): string[] {
  const amounts = findAmounts(readableText(title, max));
  if (amounts.length === 0) return [];
  const writtenPart = createWrittenPart(title, max);
  return [...new Set(amounts.map(({ start, end }) => writtenPart(start, end)))];
}

function createWordFinder(store: Store) {
  const rules: Readonly<Record<PolicyRule, RuleWords>> = {
    price: priceWords,
    ranking: rankingWords,
    'play-program': playProgramWords,
    'call-to-action': callToActionWords,
    kids: kidsWords,
    'rival-platform': rivalPlatformWords[store],
  };
  return createPhraseFinder(
    Object.entries(rules).flatMap(([rule, words]) => toPhrases(rule as PolicyRule, words)),
  );
}

function toPhrases(rule: PolicyRule, { words, harmless }: RuleWords): Phrase<PolicyRule>[] {
  return [
    ...Object.values(words)
      .flatMap(phrasesIn)
      .map((text) => ({ text, rule })),
    ...Object.values(harmless)
      .flatMap(phrasesIn)
      .map((text) => ({ text, rule: null })),
  ];
}

function phrasesIn(list: string): string[] {
  return list
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
}
