import { createBrandNames } from './brand-name.ts';
import { type HomeCountry, homeCountries } from './countries.ts';
import { gaussian, mix, pick, seedOf, unit } from './random.ts';
import { isGame, type Topic } from './topic.ts';

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

/** First halves of developer names. */
const developerHalves =
  'Lark Brindle Fen Moss Copper Juniper Slate Hazel Cedar Tide Harvest Northern Paper Quiet Amber Maple Granite Velvet Saffron Birch Cobalt Ivory Linen Marble Nimbus Opal Poppy Raven Silver Tulip';
const developerKinds: Readonly<Record<HomeCountry, readonly string[]>> = {
  US: ['Software, Inc.', 'Labs LLC', 'Apps', 'Studio', 'Mobile Inc.', 'Software LLC'],
  GB: ['Software Ltd', 'Apps Limited', 'Digital Ltd', 'Studio'],
  DE: ['Software GmbH', 'Apps GmbH', 'Digital UG', 'Studio'],
  FR: ['Logiciels SARL', 'Studio SAS', 'Apps SAS'],
  ES: ['Apps S.L.', 'Software S.L.', 'Estudio'],
  BR: ['Aplicativos Ltda', 'Tecnologia Ltda', 'Apps'],
  JP: ['Works K.K.', 'Software Co., Ltd.', 'Studio'],
  IN: ['Technologies Pvt Ltd', 'Apps', 'Infotech'],
  KR: ['Soft Co., Ltd.', 'Studio', 'Mobile Inc.'],
};

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
  const appCounts = new Map<string, number>();
  for (const { theme, apps } of topics) appCounts.set(theme, (appCounts.get(theme) ?? 0) + apps);
  return new Map(
    [...appCounts].map(([theme, apps]) => [
      theme,
      Array.from({ length: Math.ceil(apps / 2.4) }, (_, index) => {
        const seed = seedOf(`developer/${theme}/${index}`);
        const home = pickHome(mix(seed, 1));
        const name = `${nameDeveloper(developerHalves, { seed, game: false })} ${pick(developerKinds[home], mix(seed, 2))}`;
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
  let remaining = unit(seed);
  for (const [country, share] of homeCountries) {
    remaining -= share;
    if (remaining < 0) return country;
  }
  return 'US';
}

function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
