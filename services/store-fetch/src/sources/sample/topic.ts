import type { CategoryKey } from '@shelfwise/facts/stores/categories';
import type { Claim } from './claims.ts';

/** The languages of the sample catalog; all other languages get the English listing. */
export const writtenLanguages = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;

export type WrittenLanguage = (typeof writtenLanguages)[number];

/** The subject of a group of sample apps. Lists are separated by commas, the most searched term first. */
export type Topic = {
  /** Topics of one theme share developers and compete for each other's terms. */
  theme: string;
  /** App Store genre id and Google Play category. */
  genre: CategoryKey<'ITUNES'>;
  category: CategoryKey<'GPLAY'>;
  /** Approximate number of ratings of the topic's first app in the United States. */
  reach: number;
  /** The number of apps in both stores together. */
  apps: number;
  /** First halves of fictional names, separated by spaces. */
  names: string;
  /** What such an app is: an English noun in the singular. */
  noun: string;
  /** English subtitles, up to 30 characters each. */
  taglines: readonly string[];
  /** Claims that such an app would not make. */
  excludedClaims?: readonly Claim[];
  /** What people type to find such an app, by language, in display spelling. */
  terms: Record<WrittenLanguage, string>;
  /** Sentences for the English description. */
  features: readonly string[];
};

/** The topic's terms in a language, the most searched first. */
export function termsOf(topic: Topic, language: WrittenLanguage): string[] {
  return topic.terms[language].split(', ');
}

export function isGame(topic: Topic): boolean {
  return topic.category.startsWith('GAME');
}
