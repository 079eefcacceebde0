import type { Document } from './documents.ts';
import { lowerBound } from './lower-bound.ts';
import { phraseForm, queryWords } from './words.ts';

/** How well an app matches a term: above 0, about 1 when the title contains all of its words. */
export type Match = { document: Document; relevance: number };

export type SearchIndex = { match(term: string): Match[] };

/** An app matches a term when it contains at least this share of the term's words, weighted by rarity. */
const minCoverage = 0.3;

/**
 * The documents that contain a word: the document's index, the weight of the word in it, the next index, and so on. A day
 * has tens of thousands of them: a pair, or an entry of a map, for each would take most of the time.
 */
type Postings = number[];

export function createSearchIndex(documents: readonly Document[]): SearchIndex {
  const postings = new Map<string, Postings>();
  for (const [index, document] of documents.entries()) {
    for (const [word, weight] of document.words) {
      const wordPostings = postings.get(word);
      if (wordPostings) wordPostings.push(index, weight);
      else postings.set(word, [index, weight]);
    }
  }
  const vocabulary = [...postings.keys()].sort();
  return {
    match: (term) => {
      const words = [...queryWords(term)].map(([word, share]) => ({
        share,
        ...lookUp(word, { postings, vocabulary, count: documents.length }),
      }));
      return scoreDocuments(words, documents, term);
    },
  };
}

/**
 * `weights`: by the index of the document. `rarity`: 0 for a word that no document contains, otherwise the higher the fewer
 * documents contain it.
 */
type FoundWord = { weights: ReadonlyMap<number, number>; rarity: number };
/** `share`: the weight of the word in the query. */
type QueryWord = FoundWord & { share: number };

/**
 * The documents of a word. A word of three letters or more also finds longer words that start with it, with less weight
 * the longer they are.
 */
function lookUp(
  word: string,
  {
    postings,
    vocabulary,
    count,
  }: { postings: Map<string, Postings>; vocabulary: readonly string[]; count: number },
): FoundWord {
  const weights = new Map<number, number>();
  const add = (name: string, similarity: number) => {
    const found = postings.get(name) ?? [];
    for (let at = 0; at < found.length; at += 2) {
      const index = found[at] ?? 0;
      weights.set(index, Math.max(weights.get(index) ?? 0, (found[at + 1] ?? 0) * similarity));
    }
  };
  if (word.length < 3) add(word, 1);
  else {
    for (
      let at = lowerBound(word, { count: vocabulary.length, textAt: (index) => vocabulary[index] ?? '' });
      vocabulary[at]?.startsWith(word);
      at++
    ) {
      const longer = vocabulary[at] ?? '';
      add(longer, longer === word ? 1 : (0.8 * word.length) / longer.length);
    }
  }
  return { weights, rarity: weights.size === 0 ? 0 : Math.log(1 + count / weights.size) };
}

function scoreDocuments(words: readonly QueryWord[], documents: readonly Document[], term: string): Match[] {
  const known = words.filter(({ weights }) => weights.size > 0);
  if (known.length === 0) return [];
  // A word that no app contains has the average weight: photo apps match half of "photo xyzzy".
  const foundRarity = known.reduce((sum, { rarity, share }) => sum + rarity * share, 0);
  const total = (foundRarity / sumOfShares(known)) * sumOfShares(words);
  const sums = new Map<number, { relevance: number; coverage: number }>();
  for (const { weights, rarity, share } of known) {
    for (const [index, weight] of weights) {
      const sum = sums.get(index) ?? { relevance: 0, coverage: 0 };
      sum.relevance += (weight * rarity * share) / total;
      sum.coverage += (rarity * share) / total;
      sums.set(index, sum);
    }
  }
  const phrase = phraseForm(term);
  const matches: Match[] = [];
  for (const [index, { relevance, coverage }] of sums) {
    const document = documents[index];
    if (!document || coverage < minCoverage) continue;
    matches.push({
      document,
      relevance: relevance * coverage ** 2 + phraseBonus(document.phrases, phrase),
    });
  }
  return matches;
}

function sumOfShares(words: readonly QueryWord[]): number {
  return words.reduce((sum, { share }) => sum + share, 0);
}

/** More for the exact phrase in title or subtitle, and most for the app with exactly this name. */
function phraseBonus({ name, title, subtitle }: Document['phrases'], phrase: string): number {
  if (name === phrase) return 4;
  const bare = phrase.trim();
  const beginsName = bare.length >= 4 && name.startsWith(` ${bare}`) ? 0.3 : 0;
  if (title.includes(bare)) return 0.6 + beginsName;
  return (subtitle.includes(bare) ? 0.15 : 0) + beginsName;
}
