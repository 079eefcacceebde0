import { createBrandNames } from './brand-name.ts';
import { sampleContent } from './content.ts';
import type { HomeCountry, Topic } from './content-schema.ts';
import { gaussian, mix, pick, seedOf, unit } from './random.ts';
import { isGame } from './topic.ts';

/** One fictional product, sold in one store or in both. */
export type Brand = {
  /** Everything random about the brand is derived from it: see random.ts. */
  seed: number;
  name: string;
  /** The name in lowercase letters and digits. */
  slug: string;
  topic: Topic;
  /** Place among the brands of the topic, from 0. Popularity falls with it, apart from random differences. */
  rank: number;
  developer: Developer;
  /** The other topics of the theme. */
  siblings: readonly Topic[];
  /** log10 of the ratings gathered in the United States over the years, before differences of store and country. */
  popularity: number;
};

export type Developer = { name: string; slug: string; home: HomeCountry };

/** All brands of the catalog; every call returns the same list. */
export function createBrands(topics: readonly Topic[]): Brand[] {
  const nameBrand = createBrandNames();
  const developers = createDevelopers(topics);
  return topics.flatMap((topic) =>
    Array.from({ length: topic.apps }, (_, rank) => {
      const seed = seedOf(`${topic.theme}/${topic.noun}/${rank}`);
      const name = nameBrand(topic.names, { seed, game: isGame(topic) });
      return {
        seed,
        name,
        slug: slugOf(name),
        topic,
        rank,
        developer: pickDeveloper(developers.get(topic.theme) ?? [], mix(seed, 1)),
        siblings: topics.filter((other) => other.theme === topic.theme && other !== topic),
        popularity: popularityOf(topic, rank, seed),
      };
    }),
  );
}

/** A power law: the second brand has about a fifth of the ratings of the first. A few brands stay unknown. */
function popularityOf(topic: Topic, rank: number, seed: number): number {
  if (rank > 4 && unit(mix(seed, 3)) < 0.05) return -1.5;
  return Math.log10(topic.reach) - 2.3 * Math.log10(rank + 1) + 0.35 * gaussian(mix(seed, 2));
}

/** Developers by theme: about one per two or three apps. */
function createDevelopers(topics: readonly Topic[]): Map<string, Developer[]> {
  const nameDeveloper = createBrandNames();
  const firstHalves = sampleContent().brands.developers;
  const appCounts = new Map<string, number>();
  for (const { theme, apps } of topics) appCounts.set(theme, (appCounts.get(theme) ?? 0) + apps);
  return new Map(
    [...appCounts].map(([theme, apps]) => [
      theme,
      Array.from({ length: Math.ceil(apps / 2.4) }, (_, index) => {
        const seed = seedOf(`developer/${theme}/${index}`);
        const home = pickHome(mix(seed, 1));
        const name = `${nameDeveloper(firstHalves, { seed, game: false })} ${pick(home.companies, mix(seed, 2))}`;
        return { name, slug: slugOf(name), home };
      }),
    ]),
  );
}

/** Some developers have many apps and most have one or two. */
function pickDeveloper(developers: readonly Developer[], seed: number): Developer {
  const developer = developers[Math.floor(unit(seed) ** 1.25 * developers.length)];
  if (!developer) throw new RangeError('a theme has no developers');
  return developer;
}

function pickHome(seed: number): HomeCountry {
  const { homes } = sampleContent().countries;
  let remaining = unit(seed);
  for (const home of homes) {
    remaining -= home.share;
    if (remaining < 0) return home;
  }
  // The sum of the shares may be slightly less than 1.
  return homes[0];
}

function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
