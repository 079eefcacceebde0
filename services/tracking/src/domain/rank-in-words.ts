import { nounFor } from '@shelfwise/runtime/noun-for';
import { maxDepth } from './snapshot.ts';

/**
 * A rank as a sentence. `rank` is null when the app is not in the snapshot; `depth`: how many results it holds.
 * `title`: the app's, or its store identifier when the title is unknown.
 */
export function rankInWords({
  title,
  keyword,
  rank,
  depth,
}: {
  title: string;
  keyword: string;
  rank: number | null;
  depth: number;
}): string {
  if (rank !== null)
    return `${title} ranks ${ordinal(rank)} of ${depth} ${nounFor(depth, 'result')} for “${keyword}”.`;
  if (depth === 0) return `The store shows no results for “${keyword}”, so ${title} does not rank.`;
  if (depth >= maxDepth) return `${title} is not in the top ${maxDepth} for “${keyword}”.`;
  if (depth === 1) return `The store shows one result for “${keyword}”, and it is not ${title}.`;
  return `${title} is not among the ${depth} results that the store shows for “${keyword}”.`;
}

/** English ordinals: 1st, 2nd, 3rd, 4th, and 11th to 13th. */
function ordinal(rank: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
  const rule = ordinals.select(rank) as keyof typeof ending;
  return `${rank}${ending[rule]}`;
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
