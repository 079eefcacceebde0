import type { Listing } from './choose-listings.ts';
import type { StoreApp } from './store-app.ts';
import { contentWordsIn, wordsIn } from './words.ts';

/**
 * The store's results for a term, the first 100. The app of the listing is found by the words of its brand only; a term that holds
 * one of them may still be a phrase of its full title, which lifts it as any other app.
 */
export type Search = (term: string, listing: Listing) => StoreApp[];

type Ranked = { app: StoreApp; weight: number };

const maxResults = 100;
/** The store reads a description no further. */
const describedUnits = 400;
const titleWeight = 6;
const phraseWeight = 5;

/**
 * A text search over the apps: those in which each word of the term is met, on average, at least in the description.
 * Titles count more than descriptions, the whole phrase in a title more than its words, and many ratings count.
 */
export function createSearch(apps: readonly StoreApp[]): Search {
  const index = indexWords(apps);
  const known = new Map<string, Ranked[]>();

  /** One more than are shown, in case the listing's app is among them. */
  function rankAll(term: string): Ranked[] {
    const words = contentWordsIn(term);
    const weights = new Map<StoreApp, number>();
    for (const word of words)
      for (const [app, weight] of index.get(word) ?? []) weights.set(app, (weights.get(app) ?? 0) + weight);
    return [...weights]
      .flatMap(([app, weight]) => rankOne({ app, weight }, words))
      .sort(byWeight)
      .slice(0, maxResults + 1);
  }

  return (term, { app, brand }) => {
    const ranked = known.get(term) ?? rankAll(term);
    known.set(term, ranked);
    const words = contentWordsIn(term);
    const brandWords = new Set(wordsIn(brand));
    const weight = titleWeight * words.filter((word) => brandWords.has(word)).length;
    return [...ranked.filter((other) => other.app !== app), ...rankOne({ app, weight }, words)]
      .sort(byWeight)
      .slice(0, maxResults)
      .map((one) => one.app);
  };
}

/** How much each word weighs in each app that has it. */
function indexWords(apps: readonly StoreApp[]): Map<string, Map<StoreApp, number>> {
  const index = new Map<string, Map<StoreApp, number>>();
  const add = (word: string, app: StoreApp, weight: number) => {
    const weights = index.get(word) ?? new Map<StoreApp, number>();
    index.set(word, weights.set(app, weight));
  };
  for (const app of apps) {
    for (const word of contentWordsIn(app.description.slice(0, describedUnits))) add(word, app, 1);
    for (const word of contentWordsIn(app.title)) add(word, app, titleWeight);
  }
  return index;
}

/** None if too little of the term is met. `weight`: the sum over its words. */
function rankOne({ app, weight }: Ranked, words: readonly string[]): Ranked[] {
  if (words.length === 0 || weight < words.length) return [];
  const hasPhrase = wordsIn(app.title).join(' ').includes(words.join(' '));
  const popularity = 2.2 * Math.log10(1 + app.ratings);
  return [{ app, weight: weight / words.length + popularity + (hasPhrase ? phraseWeight : 0) }];
}

function byWeight(one: Ranked, other: Ranked): number {
  return other.weight - one.weight || one.app.id - other.app.id;
}
