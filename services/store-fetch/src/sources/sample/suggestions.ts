import type { Store } from '@shelfwise/facts/stores/store';
import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { isSoldIn, type SampleApp } from './apps.ts';
import { sampleContent } from './content.ts';
import type { LanguagePack, Topic } from './content-schema.ts';
import { lowerBound } from './lower-bound.ts';
import { ratingsOn } from './popularity.ts';
import { drift, mix, seedOf, unit } from './random.ts';
import { isGame } from './topic.ts';
import { typedReading } from './typed-reading.ts';
import type { WrittenLanguage } from './written-language.ts';

/** A term that people search, its typed form, and its search volume relative to other terms. */
type Search = { term: string; typed: string; seed: number; volume: number };

export type Suggestions = {
  /** Terms that start with the prefix, by search volume in the country on that day. */
  complete(prefix: string, options: { country: string; day: number; limit: number }): string[];
};

/** Characters that count as three letters, because each of them is a syllable or a word. */
const syllables = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A brand is not suggested in a country where it has fewer ratings than this. */
const minBrandRatings = 3_000;
/** A single letter has at least this many suggestions, if that many terms start with it. */
const minSuggestions = 6;
/** Each further term of a topic has this share of the volume of the previous one. */
const nextTerm = 0.62;
/** The volume of English terms in storefronts of other languages, relative to English ones. */
const foreign = 0.12;
/**
 * The volume of searches with a specific purpose relative to the topic's first term; each further one has the share
 * `next` of the previous one.
 */
const topicSearch = { first: 0.08, next: 0.88 } as const;
/** The same for the first terms of sub-topics. Each further term of a sub-topic has the share `nextTerm` of the previous. */
const subtopicSearch = { first: 0.12, next: 0.9, nextTerm: 0.6 } as const;

/** All completions of the search field in one store and language. */
export function createSuggestions(
  topics: readonly Topic[],
  apps: readonly SampleApp[],
  { store, language }: { store: Store; language: WrittenLanguage },
): Suggestions {
  const { readings } = sampleContent().languages[language];
  const searches = sortedByTyping(searchesAround(topics, store, language), readings);
  const order = { count: searches.length, textAt: (at: number) => searches[at]?.typed ?? '' };
  const brands = apps.map((app) => ({ app, term: normalizeKeyword(app.brand.name) }));
  const volumesFor = (start: string, country: string, day: number) => {
    const countrySeed = seedOf(country);
    const volumes = new Map<string, number>();
    for (let at = lowerBound(start, order); at < searches.length; at++) {
      const search = searches[at];
      if (!search?.typed.startsWith(start)) break;
      volumes.set(search.term, search.volume * mood(mix(search.seed, countrySeed), day));
    }
    for (const { app, term } of brands) {
      if (!term.startsWith(start) || !isSoldIn(app, country)) continue;
      const ratings = ratingsOn(app, country, day);
      if (ratings >= minBrandRatings) volumes.set(term, Math.max(volumes.get(term) ?? 0, ratings * 0.4));
    }
    return volumes;
  };
  return {
    complete: (prefix, { country, day, limit }) => {
      const start = normalizePrefix(prefix);
      if (start === '') return [];
      const letters = countLetters(start);
      const threshold = minVolume(letters);
      return [...volumesFor(start, country, day)]
        .sort(([a, volumeA], [b, volumeB]) => volumeB - volumeA || (a < b ? -1 : 1))
        .filter(([, volume], index) => volume >= threshold || (letters === 1 && index < minSuggestions))
        .slice(0, limit)
        .map(([term]) => term);
    },
  };
}

/** The minimum volume of a suggested term: high after one letter, about a third with each further letter. */
function minVolume(letters: number): number {
  return 550_000 * 0.32 ** (letters - 1);
}

function countLetters(prefix: string): number {
  let letters = 0;
  for (const character of prefix) letters += syllables.test(character) ? 3 : 1;
  return letters;
}

/** All searches for the topics in one store and language, with their volume. */
function searchesAround(
  topics: readonly Topic[],
  store: Store,
  language: WrittenLanguage,
): Map<string, number> {
  const volumes = new Map<string, number>();
  const addTerms = (topic: Topic, spoken: WrittenLanguage, share: number) => {
    for (const [index, term] of topic.terms[spoken].entries()) {
      const volume = topic.reach * nextTerm ** index * share;
      raise(volumes, term, volume * spread(`${store}/${term}`));
      for (const longer of longerSearches(topic, spoken, term)) {
        if (namesOtherStore(longer.term, store)) continue;
        raise(volumes, longer.term, volume * longer.share);
      }
    }
  };
  const addTopicSearches = (topic: Topic) => {
    for (const [index, term] of (topic.searches[language] ?? []).entries()) {
      const volume = topic.reach * topicSearch.first * topicSearch.next ** index;
      raise(volumes, term, volume * spread(`${store}/${term}`));
    }
  };
  const addSubtopicTerms = (topic: Topic) => {
    for (const [position, { terms }] of topic.subtopics.entries())
      for (const [index, term] of terms[language].entries()) {
        const share =
          subtopicSearch.first * subtopicSearch.next ** position * subtopicSearch.nextTerm ** index;
        raise(volumes, term, topic.reach * share * spread(`${store}/${term}`));
      }
  };
  for (const topic of topics) {
    addTerms(topic, language, 1);
    addTopicSearches(topic);
    addSubtopicTerms(topic);
    if (language !== 'en') addTerms(topic, 'en', foreign);
  }
  return volumes;
}

/** "budget planner" is also searched as "budget planner free". The set of longer searches differs by term. */
function longerSearches(
  topic: Topic,
  language: WrittenLanguage,
  term: string,
): { term: string; share: number }[] {
  const pack = sampleContent().languages[language];
  return [...(isGame(topic) ? pack.gameSearches : pack.appSearches), ...claimSearchesOf(topic, pack)]
    .map((pattern) => pattern.replace('{term}', term))
    .filter((longer) => !repeatsWord(longer))
    .map((longer) => ({ term: longer, share: 0.06 * unit(seedOf(`longer/${longer}`)) ** 2 }))
    .filter(({ share }) => share > 0.002);
}

/** Excludes searches for a claim that no app of the topic makes, such as "vpn offline". */
function claimSearchesOf(topic: Topic, { claimSearches, gameClaims, claims }: LanguagePack): string[] {
  const claimed: object = isGame(topic) ? gameClaims : claims;
  const excludedClaims: readonly string[] = topic.excludedClaims;
  return Object.entries(claimSearches)
    .filter(([claim]) => Object.hasOwn(claimed, claim) && !excludedClaims.includes(claim))
    .flatMap(([, patterns]) => patterns);
}

function repeatsWord(term: string): boolean {
  const words = normalizePrefix(term).split(' ');
  return new Set(words).size < words.length;
}

/** Excludes searches for the other store's devices, such as an iPad app on Google Play. */
function namesOtherStore(term: string, store: Store): boolean {
  return term.endsWith(store === 'ITUNES' ? ' for android' : ' for ipad');
}

/** Adds a search in normal form; of several volumes the highest counts. */
function raise(volumes: Map<string, number>, term: string, volume: number): void {
  const key = normalizePrefix(term);
  volumes.set(key, Math.max(volumes.get(key) ?? 0, volume));
}

/** Each search by its spelling and, in Japanese, by its typed form before conversion, if it has one. */
function sortedByTyping(volumes: Map<string, number>, readings: LanguagePack['readings']): Search[] {
  return [...volumes]
    .flatMap(([term, volume]) => {
      const search = { term, volume, seed: seedOf(`volume/${term}`) };
      const reading = readings ? typedReading(term, readings) : null;
      return [term, ...(reading === null ? [] : [reading])].map((typed) => ({ ...search, typed }));
    })
    .sort((a, b) => (a.typed < b.typed ? -1 : 1));
}

/** People type straight apostrophes; the catalog has typographic ones. */
function normalizePrefix(prefix: string): string {
  return normalizeKeyword(prefix.replaceAll('’', "'"));
}

/** A factor between 0.75 and 1.25 that belongs to the text. */
function spread(text: string): number {
  return 0.75 + 0.5 * unit(seedOf(text));
}

/** A country's preference for a search, which changes over about nine days: a factor between 0.6 and 1.5. */
function mood(seed: number, day: number): number {
  return (0.75 + 0.5 * unit(seed)) * Math.exp(0.18 * drift(mix(seed, 1), day, 9));
}
