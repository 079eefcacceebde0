/** Ranks on two days that were read, 1 to 100. Null: not ranked. */
export type RankPair = { before: number | null; after: number | null };

/** What a missing rank counts as: one below the depth of a page. */
const notRanked = 101;
/** A change matters when the better of the two ranks is at most this. */
const lowestRank = 50;
/** How many hundredths of the better rank a change must exceed, too: 40 to 46 is no news. */
const minPercent = 20;

const placeOf = (rank: number | null): number => rank ?? notRanked;

/** How many places were lost; negative when places were gained. */
function placesLost({ before, after }: RankPair): number {
  return placeOf(after) - placeOf(before);
}

/**
 * Whether the rank fell by more than `places` and by more than 20 % of the rank before, from rank 50 or better. A rise
 * is the mirror image of a drop.
 */
export function isRankDrop(ranks: RankPair, places: number): boolean {
  const lost = placesLost(ranks);
  const better = placeOf(ranks.before);
  return better <= lowestRank && lost > places && lost * 100 > better * minPercent;
}

/** Whether a change back would be a drop. */
export function isRankRise({ before, after }: RankPair, places: number): boolean {
  return isRankDrop({ before: after, after: before }, places);
}

/** Whether the rank came into the first `depth`. */
export function hasEnteredTop({ before, after }: RankPair, depth: number): boolean {
  return placeOf(before) > depth && placeOf(after) <= depth;
}

export function hasLeftTop({ before, after }: RankPair, depth: number): boolean {
  return hasEnteredTop({ before: after, after: before }, depth);
}

/** Whether a rival was behind (or not ranked) and is ahead. An app that was not ranked was not overtaken. */
export function wasOvertaken(own: RankPair, rival: RankPair): boolean {
  return placeOf(own.before) < placeOf(rival.before) && placeOf(rival.after) < placeOf(own.after);
}
