import type { CategoryKey } from '@shelfwise/facts/stores/categories';
import type { Claim } from './claims.ts';

/** The languages that the sample catalog is written in; every other one is shown the English listing. */
export const writtenLanguages = ['en', 'de', 'fr', 'es', 'pt', 'ja'] as const;

export type WrittenLanguage = (typeof writtenLanguages)[number];

/** What a group of sample apps is about. Lists are separated by commas, the most searched term first. */
export type Topic = {
  /** Topics of one theme share developers and compete for each other's terms. */
  theme: string;
  /** App Store genre id and Google Play category. */
  genre: CategoryKey<'ITUNES'>;
  category: CategoryKey<'GPLAY'>;
  /** Ratings that the topic's first app has gathered in the United States, about. */
  reach: number;
  /** How many apps the topic has, over both stores. */
  apps: number;
  /** First halves of fictional names, separated by blanks. */
  names: string;
  /** What such an app is, in English, in the singular. */
  noun: string;
  /** English subtitles, up to 30 characters each. */
  taglines: readonly string[];
  /** Claims of other apps that such an app would not make. */
  excludedClaims?: readonly Claim[];
  /** What people type to find one, language by language, in its display spelling. */
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
