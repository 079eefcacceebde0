import type { SampleApp } from './apps.ts';
import { type ListingTexts, textsOf } from './listing-texts.ts';
import { releaseShownOn } from './releases.ts';
import { phraseForm, searchWords } from './words.ts';
import type { WrittenLanguage } from './written-language.ts';

/** An app as the storefronts of one language show it, until its texts are rewritten. */
export type Document = {
  app: SampleApp;
  /** How many times the texts have been rewritten. */
  rewrite: number;
  texts: ListingTexts;
  /** The words that find the app, each with the weight of its best field. */
  words: ReadonlyMap<string, number>;
  /** In the form in which phrases are compared. An empty subtitle matches nothing. */
  phrases: { name: string; title: string; subtitle: string };
};

export type Documents = {
  /** The apps that are available on a UTC day, in the order of the catalog. */
  on(day: number): Document[];
};

/** The weight of a word by the field that contains it. */
const weights = { title: 1, subtitle: 0.6, shortDescription: 0.4, keywords: 0.32, developer: 0.25 } as const;

/**
 * The documents of one store in one language. Few listings change from one day to the next, so only the latest document
 * of each app is cached. The next day costs a tenth of the first.
 */
export function createDocuments(apps: readonly SampleApp[], language: WrittenLanguage): Documents {
  const latest = new Map<SampleApp, Document>();
  // Many apps share developers and keywords.
  const wordsOf = memoize(searchWords);
  return {
    on: (day) =>
      apps.flatMap((app) => {
        const release = releaseShownOn(app, day);
        if (!release) return [];
        const cached = latest.get(app);
        if (cached?.rewrite === release.rewrite) return [cached];
        const texts = textsOf(app, language, release);
        const created = {
          app,
          rewrite: release.rewrite,
          texts,
          words: weighWords(app, texts, wordsOf),
          phrases: phrasesOf(app, texts),
        };
        latest.set(app, created);
        return [created];
      }),
  };
}

function weighWords(
  { store, brand }: SampleApp,
  { title, subtitle, keywords }: ListingTexts,
  wordsOf: (text: string) => string[],
): Map<string, number> {
  const weighed = new Map<string, number>();
  const add = (words: readonly string[], weight: number) => {
    for (const word of words) if (!weighed.has(word)) weighed.set(word, weight);
  };
  add(searchWords(title), weights.title);
  add(searchWords(subtitle), weights[store === 'ITUNES' ? 'subtitle' : 'shortDescription']);
  for (const keyword of keywords) add(wordsOf(keyword), weights.keywords);
  add(wordsOf(brand.developer.name), weights.developer);
  return weighed;
}

function phrasesOf({ brand }: SampleApp, { title, subtitle }: ListingTexts): Document['phrases'] {
  return {
    name: phraseForm(brand.name),
    title: phraseForm(title),
    subtitle: subtitle === '' ? '' : phraseForm(subtitle),
  };
}

function memoize(split: (text: string) => string[]): (text: string) => string[] {
  const cache = new Map<string, string[]>();
  return (text) => {
    const words = cache.get(text) ?? split(text);
    cache.set(text, words);
    return words;
  };
}
