import type { WrittenLanguage } from '../topic.ts';

/**
 * How listings and searches sound in one language. Patterns take {brand} and three terms of the topic, {term}, {other} and
 * {third}; {Term}, {Other} and {Third} are the same as the language writes them in a title. English
 * patterns also take {noun}, {tagline} and {feature}.
 */
export type LanguagePack = {
  language: WrittenLanguage;
  /** Names of apps: the store allows 30 characters. The earlier, the more often. */
  titles: readonly string[];
  /** Subtitles of the App Store: 30 characters. */
  subtitles: readonly string[];
  /** Short descriptions of Google Play: 80 characters. */
  shortDescriptions: readonly string[];
  /** How a description begins, what any app may claim, and how it ends. */
  openings: readonly string[];
  gameOpenings: readonly string[];
  claims: readonly string[];
  gameClaims: readonly string[];
  closings: readonly string[];
  /** A sentence that names searched terms. */
  searchLine: string;
  /** Headings over the list of features. */
  headings: readonly string[];
  /** Searches that people make out of a term: {term} stands for it. */
  appSearches: readonly string[];
  gameSearches: readonly string[];
  /** The spelling of a term in a title. */
  inTitle(term: string): string;
};

/** Upper case for the first letter only. */
export function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}
