import { createBrandNames, slugOf } from './brand-name.ts';
import type { Subtopic, Topic } from './content-schema.ts';
import { createDevelopers, type Developer, pickDeveloper } from './developers.ts';
import { gaussian, mix, seedOf, unit } from './random.ts';
import { isGame } from './topic.ts';

/** One fictional product, sold in one store or in both. */
export type Brand = {
  /** Everything random about the brand is derived from it: see random.ts. */
  seed: number;
  name: string;
  /** The name in lowercase letters and digits. */
  slug: string;
  topic: Topic;
  /** The part of the topic that the brand specializes in; null for a generalist. */
  subtopic: Subtopic | null;
  /** Position among the brands of the topic, from 0; specialists beyond its `apps` come last. */
  rank: number;
  /** One of the first three of its topic or the first two of its sub-topic: an old app that is sold everywhere. */
  isLeader: boolean;
  developer: Developer;
  /** The other topics of the theme. */
  siblings: readonly Topic[];
  /** log10 of the ratings gathered in the United States over the years, before differences of store and country. */
  popularity: number;
};

/** Where a brand belongs in its topic. `popularity`: before random differences. */
type Position = Pick<Brand, 'subtopic' | 'rank' | 'isLeader' | 'popularity'>;

/** The first brands of a topic, by popularity, have no sub-topic. */
const firstSpecialist = 6;
/** Brands of each sub-topic beyond the `apps` of the topic: only with them has each sub-topic a page of its own. */
const specialists = 6;

/**
 * All brands of the catalog; every call returns the same list. The specialists beyond the `apps` of the topics get their
 * names last, so that a new sub-topic renames none of these `apps`.
 */
export function createBrands(topics: readonly Topic[]): Brand[] {
  const nameBrand = createBrandNames();
  const developers = createDevelopers(topics);
  const createBrand = (topic: Topic, position: Position): Brand => {
    const seed = seedOf(`${topic.theme}/${topic.noun}/${position.rank}`);
    const name = nameBrand(topic.names, { seed, game: isGame(topic) });
    return {
      seed,
      name,
      slug: slugOf(name),
      topic,
      subtopic: position.subtopic,
      rank: position.rank,
      isLeader: position.isLeader,
      developer: pickDeveloper(developers.get(topic.theme) ?? [], mix(seed, 1)),
      siblings: topics.filter((other) => other.theme === topic.theme && other !== topic),
      popularity: varyPopularity(position, seed),
    };
  };
  return [firstPositions, furtherPositions].flatMap((positionsIn) =>
    topics.flatMap((topic) => positionsIn(topic).map((position) => createBrand(topic, position))),
  );
}

/**
 * The `apps` of a topic. Their popularity is a power law: the second has about a fifth of the ratings of the first. From
 * `firstSpecialist` on the sub-topics, and generalists, take turns.
 */
function firstPositions({ apps, reach, subtopics }: Topic): Position[] {
  const turns = [...subtopics, null];
  return Array.from({ length: apps }, (_, rank) => ({
    subtopic: rank < firstSpecialist ? null : (turns[(rank - firstSpecialist) % turns.length] ?? null),
    rank,
    isLeader: rank < 3,
    popularity: Math.log10(reach) - 2.3 * Math.log10(rank + 1),
  }));
}

/** The first of a sub-topic has about as many ratings as the fourth of the topic, that of a later sub-topic slightly fewer. */
function furtherPositions({ apps, reach, subtopics }: Topic): Position[] {
  return Array.from({ length: specialists }, (_, index) =>
    subtopics.map((subtopic, at) => ({
      subtopic,
      rank: apps + index * subtopics.length + at,
      isLeader: index < 2,
      popularity: Math.log10(reach / 25) - 0.05 * at - 1.3 * Math.log10(index + 1),
    })),
  ).flat();
}

/** A few brands stay unknown. */
function varyPopularity({ rank, isLeader, popularity }: Position, seed: number): number {
  if (rank > 4 && !isLeader && unit(mix(seed, 3)) < 0.05) return -1.5;
  return popularity + 0.35 * gaussian(mix(seed, 2));
}
