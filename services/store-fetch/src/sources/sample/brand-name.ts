import { sampleContent } from './content.ts';
import { mix, pick, unit } from './random.ts';

/** Creates fictional names: never the same one twice, and never one of the real names. */
export function createBrandNames(): (
  firstHalves: readonly string[],
  options: { seed: number; game: boolean },
) => string {
  const { realNames } = sampleContent().brands;
  const taken = new Set<string>();
  return (firstHalves, { seed, game }) => {
    for (let attempt = 0; ; attempt++) {
      const name = nameFrom(firstHalves, mix(seed, attempt), game);
      const letters = name.toLowerCase().replaceAll(' ', '');
      if (taken.has(letters) || realNames.has(letters)) continue;
      taken.add(letters);
      return name;
    }
  };
}

function nameFrom(firstHalves: readonly string[], seed: number, game: boolean): string {
  const { gamePlaces, secondHalves, starts, middles, ends } = sampleContent().brands;
  const first = pick(firstHalves, mix(seed, 1));
  if (game) return `${first} ${pick(gamePlaces, mix(seed, 2))}`;
  const style = unit(mix(seed, 3));
  if (style < 0.42)
    return pick(starts, mix(seed, 4)) + pick(middles, mix(seed, 5)) + pick(ends, mix(seed, 6));
  const second = pick(secondHalves, mix(seed, 7));
  if (style < 0.85 && first.length + second.length <= 12) return first + second;
  return `${first} ${second.slice(0, 1).toUpperCase()}${second.slice(1)}`;
}

export function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
