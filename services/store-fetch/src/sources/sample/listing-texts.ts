import type { SampleApp } from './apps.ts';
import type { Brand } from './brands.ts';
import { sampleContent } from './content.ts';
import type { LanguagePack } from './content-schema.ts';
import { mix, pick, shuffle, unit } from './random.ts';
import type { Release } from './releases.ts';
import { capitalizeAbbreviations, inTitle } from './title-spelling.ts';
import { isGame } from './topic.ts';
import type { WrittenLanguage } from './written-language.ts';

/** The texts that a developer enters in the store. */
export type ListingTexts = {
  language: WrittenLanguage;
  title: string;
  /** Subtitle (App Store) or short description (Google Play); sometimes empty. */
  subtitle: string;
  /** Terms that the app is indexed for in addition to its texts: the App Store's hidden keywords. */
  keywords: readonly string[];
};

/** The stores' limits, in characters. */
const titleLimit = 30;
const subtitleLimits = { ITUNES: 30, GPLAY: 80 } as const;

/**
 * The texts of a release in a storefront of this language; English if the app does not have it. Every second rewrite
 * also changes the title.
 */
export function textsOf(
  app: SampleApp,
  storefrontLanguage: WrittenLanguage,
  { rewrite }: Release,
): ListingTexts {
  const language = app.languages.has(storefrontLanguage) ? storefrontLanguage : 'en';
  const pack = sampleContent().languages[language];
  const titleSeed = mix(app.seed, 80, Math.floor(rewrite / 2));
  const title = titleOf(app, pack, titleSeed);
  return {
    language,
    title,
    subtitle: subtitleOf(app, pack, { seed: mix(app.seed, 81, rewrite), title }),
    keywords: keywordsOf(app, language),
  };
}

/** The description, 150 to 1,500 characters. Separate from the other texts because only a listing's page shows it. */
export function descriptionOf(app: SampleApp, language: WrittenLanguage, { rewrite }: Release): string {
  const pack = sampleContent().languages[language];
  const { topic, subtopic } = app.brand;
  const seed = mix(app.seed, 83, rewrite);
  const isLong = unit(mix(app.seed, 93)) < 0.35;
  const allFeatures = [...(subtopic ? [subtopic.feature] : []), ...shuffle(topic.features, mix(seed, 1))];
  const features = language === 'en' ? allFeatures.slice(0, isLong ? 4 : 2) : [];
  const claims = shuffle(fittingSentences(isGame(topic) ? pack.gameClaims : pack.claims, app), mix(seed, 2));
  const claimCount = (isLong ? 6 : 3) + Math.floor(unit(mix(seed, 3)) * 3);
  const bullet = pick(['• ', '- ', '✓ '], mix(app.seed, 84));
  const paragraphs = [
    pick(isGame(topic) ? pack.gameOpenings : pack.openings, mix(app.seed, 85)),
    [
      pick(pack.headings, mix(app.seed, 86)),
      ...[...features, ...claims.slice(0, claimCount)].map((line) => bullet + line),
    ].join('\n'),
    ...(unit(mix(app.seed, 87)) < 0.6 ? [pack.searchLine] : []),
    ...shuffle(fittingSentences(pack.closings, app), mix(seed, 4)).slice(0, isLong ? 2 : 1),
  ];
  return fill(paragraphs.join('\n\n'), app, pack, mix(app.seed, 88));
}

/** The sentences that do not contradict the app's topic or price. */
function fittingSentences(
  sentences: Readonly<Record<string, string>>,
  { brand, price }: SampleApp,
): string[] {
  const excludedClaims: readonly string[] = [
    ...brand.topic.excludedClaims,
    ...(price > 0 ? ['subscription'] : []),
  ];
  return Object.entries(sentences)
    .filter(([claim]) => !excludedClaims.includes(claim))
    .map(([, sentence]) => sentence);
}

/** How many screenshots the listing shows: 0 to 10, most often 4 to 8. */
export function screenshotCountOf(app: SampleApp, { rewrite }: Release): number {
  const seed = mix(app.seed, 89, Math.floor(rewrite / 2));
  const style = unit(seed);
  if (style < 0.02) return 0;
  if (style < 0.14) return 1 + Math.floor(unit(mix(seed, 1)) * 3);
  return 4 + Math.floor(unit(mix(seed, 1)) * (style < 0.8 ? 5 : 7));
}

/** Up to five of the app's terms, and one of each of two neighboring topics. */
function keywordsOf({ seed, brand }: SampleApp, language: WrittenLanguage): string[] {
  const ownTerms = shuffle(termsOf(brand, language), mix(seed, 82)).slice(0, 5);
  const neighbors = shuffle(brand.siblings, mix(seed, 94)).slice(0, 2);
  return [
    ...ownTerms,
    ...neighbors.map((topic, index) => pick(topic.terms[language].slice(0, 3), mix(seed, 95, index))),
  ];
}

/**
 * An app always tries the same patterns in the same order; a rewrite changes only the terms in them. If a title is too
 * long, the next pattern is tried, and finally the brand alone.
 */
function titleOf(app: SampleApp, pack: LanguagePack, seed: number): string {
  for (let attempt = 0; attempt < 8; attempt++) {
    const choice = unit(mix(app.seed, 90, attempt)) ** 1.7;
    const pattern = pack.titles[Math.floor(choice * pack.titles.length)] ?? '{brand}';
    const title = fill(pattern, app, pack, mix(seed, attempt));
    if (title.length <= titleLimit) return title;
  }
  return app.brand.name;
}

function subtitleOf(
  app: SampleApp,
  pack: LanguagePack,
  { seed, title }: { seed: number; title: string },
): string {
  if (app.store === 'ITUNES' && unit(mix(app.seed, 91)) < 0.08) return '';
  const patterns = app.store === 'ITUNES' ? pack.subtitles : pack.shortDescriptions;
  for (let attempt = 0; attempt < 8; attempt++) {
    const pattern = pick(patterns, mix(seed, attempt, 1));
    const subtitle = fill(pattern, app, pack, mix(seed, attempt, 2));
    const repeatsTitle = app.store === 'ITUNES' && title.toLowerCase().includes(subtitle.toLowerCase());
    if (subtitle.length <= subtitleLimits[app.store] && !repeatsTitle) return subtitle;
  }
  return '';
}

/** What people type to find the brand, the most searched first: for a specialist, terms of its sub-topic and topic. */
function termsOf({ topic, subtopic }: Brand, language: WrittenLanguage): string[] {
  if (!subtopic) return topic.terms[language];
  return [...subtopic.terms[language], ...topic.terms[language].slice(0, 2)];
}

/** Inserts the brand and its terms into a pattern; the terms that are searched most are chosen most often. */
function fill(pattern: string, { brand }: SampleApp, pack: LanguagePack, seed: number): string {
  const { topic, subtopic } = brand;
  const terms = termsOf(brand, pack.language).map(capitalizeAbbreviations);
  // Even more often by the top apps.
  const termIndex = Math.floor(unit(seed) ** (brand.rank < 6 ? 4 : 2.7) * terms.length);
  const [term = '', other = '', third = ''] = [
    terms[termIndex],
    ...shuffle(terms.filter((_, index) => index !== termIndex).slice(0, 4), mix(seed, 1)),
  ];
  const words: Readonly<Record<string, string>> = {
    brand: brand.name,
    noun: topic.noun,
    tagline: pick(subtopic ? [subtopic.tagline, ...topic.taglines] : topic.taglines, mix(seed, 2)),
    feature: pick(subtopic ? [subtopic.feature, ...topic.features] : topic.features, mix(seed, 3)),
    term,
    other,
    third,
    Term: inTitle(term, pack.titleCase),
    Other: inTitle(other, pack.titleCase),
    Third: inTitle(third, pack.titleCase),
  };
  const text = pattern.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');
  return pack.language === 'en' ? fixArticles(text) : text;
}

/** Changes "a app" to "an app". */
function fixArticles(text: string): string {
  return text.replace(/\b([Aa]) (?=[aeio]|SSH)/g, '$1n ');
}
