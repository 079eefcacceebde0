import type { AppClaim, Closing, GameClaim } from '../claims.ts';
import type { WrittenLanguage } from '../topic.ts';

/**
 * The phrases of listings and searches in one language. Patterns contain {brand} and three terms of the topic,
 * {term}, {other} and {third}; {Term}, {Other} and {Third} are the same terms in the language's title spelling.
 * English patterns also contain {noun}, {tagline} and {feature}.
 *
 * A term can be a singular or plural noun, a few words of a search, or an activity. Outside English a sentence
 * therefore puts it behind a colon or in quotes, so that any term fits.
 */
export type LanguagePack = {
  language: WrittenLanguage;
  /** App names, up to 30 characters, the most frequent pattern first. */
  titles: readonly string[];
  /** Subtitles of the App Store, up to 30 characters. */
  subtitles: readonly string[];
  /** Short descriptions of Google Play, up to 80 characters. */
  shortDescriptions: readonly string[];
  /** The start of a description, claims that fit the topic, and the end. */
  openings: readonly string[];
  gameOpenings: readonly string[];
  claims: Readonly<Record<AppClaim, string>>;
  gameClaims: Readonly<Record<GameClaim, string>>;
  closings: Readonly<Record<Closing, string>>;
  /** A sentence that contains search terms. */
  searchLine: string;
  /** Headings above the list of features. */
  headings: readonly string[];
  /** Searches that people build from any term, with {term} in its place. */
  appSearches: readonly string[];
  gameSearches: readonly string[];
  /** Searches built from the terms of topics whose apps would make the claim. */
  claimSearches: Readonly<Partial<Record<AppClaim | GameClaim, readonly string[]>>>;
  /** Longer searches around single topics, by the topic's noun, separated by commas; optional. */
  topicSearches?: Readonly<Record<string, string>>;
  /**
   * How the last word of a search is typed in Hiragana before it is converted; Katakana needs no entry. Japanese
   * only.
   */
  readings?: ReadonlyMap<string, string>;
  /** The spelling of a term in a title. Abbreviations are already in capitals. */
  inTitle(term: string): string;
};

/** Converts the first letter to uppercase. */
export function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}

const abbreviations =
  /(?<![\p{L}\d])(?:abc|ai|ia|api|bmi|cv|gif|gps|hiit|ide|imc|json|nba|mp3|pdf|qr|rpg|rss|ssh|tv|ui|usb|vpn|[345]k|3d)(?![\p{L}\d])/giu;

/** People search "pdf scanner"; listings say "PDF scanner". */
export function capitalizeAbbreviations(text: string): string {
  return text.replace(abbreviations, (letters) => letters.toUpperCase());
}
