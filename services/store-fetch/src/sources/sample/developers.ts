import { createBrandNames, slugOf } from './brand-name.ts';
import { sampleContent } from './content.ts';
import type { HomeCountry, Topic } from './content-schema.ts';
import { mix, pick, seedOf, unit } from './random.ts';

export type Developer = { name: string; slug: string; home: HomeCountry };

/** Developers by theme: about one per two or three of the `apps` of its topics. */
export function createDevelopers(topics: readonly Topic[]): Map<string, Developer[]> {
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
export function pickDeveloper(developers: readonly Developer[], seed: number): Developer {
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
