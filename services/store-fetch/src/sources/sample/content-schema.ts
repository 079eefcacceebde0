import { categories } from '@shelfwise/facts/stores/categories';
import { z } from 'zod';
import { appClaims, closings, gameClaims } from './claims.ts';
import { type WrittenLanguage, writtenLanguages } from './written-language.ts';

/*
 * The shape of the files in services/store-fetch/sample. Every object refuses unknown keys, so that a misspelt one is
 * not left out silently.
 */

const text = z.string().regex(/^\S(.*\S)?$/u, 'must be one line without spaces around it');
const unique = (items: readonly string[]) => new Set(items).size === items.length;

/** A list in one text; no entry twice. */
function listOf(separator: string) {
  return z
    .string()
    .transform((joined) => joined.split(separator))
    .pipe(z.array(text).refine(unique, 'names an entry twice'));
}

const words = listOf(' ');
const terms = listOf(', ');
const countryCode = z.string().regex(/^[A-Z]{2}$/);

const placeholders = 'brand noun tagline feature term other third Term Other Third'.split(' ');
/** A text with {brand}, terms of the topic ({term}, {other}, {third}) or, in English, {noun}, {tagline}, {feature}. */
const pattern = text.refine(
  (pattern) => [...pattern.matchAll(/\{(.*?)\}/g)].every(([, name = '']) => placeholders.includes(name)),
  `has a placeholder other than ${placeholders.join(', ')}`,
);
const patterns = z.array(pattern).min(1);

const sentence = text.regex(/^[A-Z].*\.$/, 'must be a sentence');

/**
 * Parts of a topic, each with apps that specialize in it. All lists have the same order: taglines and features, which
 * are English, and in each language the terms of each part, separated by semicolons.
 */
const subtopics = z
  .strictObject({
    taglines: z.array(text.max(30)).min(2),
    features: z.array(sentence),
    terms: z.record(
      z.enum(writtenLanguages),
      z
        .string()
        .transform((joined) => joined.split('; '))
        .pipe(z.array(terms)),
    ),
  })
  .refine(
    ({ taglines, features, terms }) =>
      [features, ...Object.values(terms)].every(({ length }) => length === taglines.length),
    'must have as many features and, in each language, lists of terms as taglines',
  )
  .transform(({ taglines, features, terms }) =>
    taglines.map((tagline, at) => ({
      tagline,
      feature: features[at] ?? '',
      terms: Object.fromEntries(
        writtenLanguages.map((language) => [language, terms[language][at] ?? []]),
      ) as Record<WrittenLanguage, string[]>,
    })),
  );

/** The subject of a group of apps. Terms and searches: the most searched first. */
const topic = z.strictObject({
  /** What such an app is: an English noun in the singular. */
  noun: text,
  /** Topics of one theme share developers and compete for each other's terms. */
  theme: text,
  /** App Store genre id and Google Play category. */
  genre: z.enum(categories.ITUNES.map(({ key }) => key)),
  category: z.enum(categories.GPLAY.map(({ key }) => key)),
  /** Approximate number of ratings of the topic's first app in the United States. */
  reach: z.int().positive(),
  /** The number of apps in both stores together. */
  apps: z.int().positive(),
  /** First halves of fictional names. */
  names: words,
  /** English subtitles. */
  taglines: z.array(text.max(30)).min(2),
  /** Sentences for the English description. */
  features: z.array(sentence).min(3),
  /** Claims that such an app would not make. */
  excludedClaims: terms.pipe(z.array(z.enum([...appClaims, ...gameClaims, ...closings]))).default(() => []),
  /** What people type to find such an app, by language, in display spelling. */
  terms: z.record(
    z.enum(writtenLanguages),
    terms.refine((list) => list.length >= 3, 'has fewer than 3 terms'),
  ),
  /** Longer searches of people with a specific purpose, by language. */
  searches: z.partialRecord(z.enum(writtenLanguages), terms).default(() => ({})),
  /** The most searched first. */
  subtopics: subtopics.default(() => []),
});

/**
 * The phrases of listings and searches in one language. {Term}, {Other} and {Third} are terms in the language's title
 * spelling.
 *
 * A term can be a singular or plural noun, a few words of a search, or an activity. Outside English a sentence
 * therefore puts it behind a colon or in quotes, so that any term fits.
 */
const languagePack = z.strictObject({
  /** Which letters of a term become capitals in a title. */
  titleCase: z.enum(['every word', 'first letter', 'as written']),
  /** App names, up to 30 characters, the most frequent pattern first. */
  titles: patterns,
  /** Subtitles of the App Store, up to 30 characters. */
  subtitles: patterns,
  /** Short descriptions of Google Play, up to 80 characters. */
  shortDescriptions: patterns,
  /** The start of a description, claims that fit the topic, and the end. */
  openings: patterns,
  gameOpenings: patterns,
  claims: z.record(z.enum(appClaims), pattern),
  gameClaims: z.record(z.enum(gameClaims), pattern),
  closings: z.record(z.enum(closings), pattern),
  /** A sentence that contains search terms. */
  searchLine: pattern,
  /** Headings above the list of features. */
  headings: patterns,
  /** Searches that people build from any term, with {term} in its place. */
  appSearches: patterns,
  gameSearches: patterns,
  /** Searches built from the terms of topics whose apps would make the claim. */
  claimSearches: z.partialRecord(z.enum([...appClaims, ...gameClaims]), patterns),
  /**
   * How the last word of a search is typed in Hiragana before it is converted; Katakana needs no entry. Japanese
   * only.
   */
  readings: z
    .record(text, text)
    .transform((readings) => new Map(Object.entries(readings)))
    .optional(),
});

const brands = z.strictObject({
  /** First halves of developer names. */
  developers: words,
  secondHalves: words,
  /** Second halves of the names of games. */
  gamePlaces: words,
  /** Syllables of invented words. */
  starts: words,
  middles: words,
  ends: words,
  /** Real names and other unwanted words, in lowercase, that the syllables here, now or later, could form. */
  realNames: words.transform((names) => new Set(names)),
});

const homeCountry = z.strictObject({
  country: countryCode,
  /** Its share of all developers; all shares together are 1. */
  share: z.number().positive(),
  /** Every app of its developers has texts in this language. */
  language: z.enum(writtenLanguages),
  /** Where developers that do not sell everywhere sell. */
  region: words.pipe(z.array(countryCode)),
  /** Second halves of developer names. */
  companies: z.array(text).min(1),
});

const countries = z.strictObject({
  /** Where developers are at home. */
  homes: z.tuple([homeCountry], homeCountry),
  /** Ratings given in a country, relative to the United States. All countries that are not listed are equally small. */
  sizes: z.record(countryCode, z.number().positive()),
  /** The currency, its amount per US dollar, and the `step` to whose multiples prices are rounded. */
  currencies: z.record(
    countryCode,
    z.strictObject({
      currency: z.string().length(3),
      perDollar: z.number().positive(),
      step: z.number().positive(),
    }),
  ),
  euroCountries: words.pipe(z.array(countryCode)).transform((codes) => new Set(codes)),
});

const wordSet = words.transform((list) => new Set(list));

const searchVocabulary = z.strictObject({
  /** Words that say nothing about what a search is for. */
  stopWords: wordSet,
  /** Additions to a search that do not mean another kind of app, in the spelling of `searchWords` or as a whole run. */
  vagueWords: wordSet,
  /** People search "pdf scanner"; listings say "PDF scanner". */
  abbreviations: wordSet,
});

/** By kind of file. */
export const contentSchemas = {
  topics: z.array(topic).min(1),
  languagePack,
  brands,
  countries,
  words: searchVocabulary,
};

export type Topic = z.output<typeof topic>;
export type Subtopic = Topic['subtopics'][number];
export type LanguagePack = z.output<typeof languagePack> & { language: WrittenLanguage };
export type HomeCountry = z.output<typeof homeCountry>;

export type SampleContent = {
  topics: readonly Topic[];
  languages: Readonly<Record<WrittenLanguage, LanguagePack>>;
  brands: z.output<typeof brands>;
  countries: z.output<typeof countries>;
  words: z.output<typeof searchVocabulary>;
};
