import type { AppClaim, Closing, GameClaim } from '../claims.ts';
import type { WrittenLanguage } from '../topic.ts';

/**
 * How listings and searches sound in one language. Patterns take {brand} and three terms of the topic, {term}, {other} and
 * {third}; {Term}, {Other} and {Third} are the same as the language writes them in a title. English
 * patterns also take {noun}, {tagline} and {feature}.
 *
 * A term can be a noun of either number, a few words of a search or what one does: outside of English a sentence names it
 * behind a colon or in quotes, so that each of them fits.
 */
export type LanguagePack = {
  language: WrittenLanguage;
  /** Names of apps: the store allows 30 characters. The earlier, the more often. */
  titles: readonly string[];
  /** Subtitles of the App Store: 30 characters. */
  subtitles: readonly string[];
  /** Short descriptions of Google Play: 80 characters. */
  shortDescriptions: readonly string[];
  /** How a description begins, what an app claims where it fits the topic, and how it ends. */
  openings: readonly string[];
  gameOpenings: readonly string[];
  claims: Readonly<Record<AppClaim, string>>;
  gameClaims: Readonly<Record<GameClaim, string>>;
  closings: Readonly<Record<Closing, string>>;
  /** A sentence that names searched terms. */
  searchLine: string;
  /** Headings over the list of features. */
  headings: readonly string[];
  /** Searches that people make out of any term: {term} stands for it. */
  appSearches: readonly string[];
  gameSearches: readonly string[];
  /** And out of the terms of a topic whose apps would claim it. */
  claimSearches: Readonly<Partial<Record<AppClaim | GameClaim, readonly string[]>>>;
  /** Longer searches around single topics, by the topic's noun, separated by commas; none where left out. */
  topicSearches?: Readonly<Record<string, string>>;
  /** How the last word of a search is typed before it is converted, in Hiragana; Katakana need none. Japanese only. */
  readings?: ReadonlyMap<string, string>;
  /** The spelling of a term in a title; abbreviations are in capitals already. */
  inTitle(term: string): string;
};

/** Upper case for the first letter only. */
export function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}

const abbreviations =
  /(?<![\p{L}\d])(?:abc|ai|ia|api|bmi|cv|gif|gps|hiit|ide|imc|json|nba|mp3|pdf|qr|rpg|rss|ssh|tv|ui|usb|vpn|[345]k|3d)(?![\p{L}\d])/giu;

/** People search "pdf scanner"; what is written for them says "PDF scanner". */
export function capitalizeAbbreviations(text: string): string {
  return text.replace(abbreviations, (letters) => letters.toUpperCase());
}
