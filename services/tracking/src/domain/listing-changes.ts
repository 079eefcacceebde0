/** The fields that make a new revision, with a version row and an event. All others are stored as last read. */
export type ListingFacts = {
  title: string;
  subtitle: string | null;
  description: string;
  version: string | null;
  /** average rating, 0 to 5 */
  score: number | null;
  ratings: number | null;
};

export type ListingField = keyof ListingFacts;

/** Stores show two decimals at most; what lies behind them moves with every single rating. */
const scoreSteps = 100;

/**
 * Which fields differ, in a fixed order. Texts are compared exactly, a score at two decimals. A value that appears
 * or goes away (null on one side) differs; so a subtitle that becomes known for the first time does, although the
 * store's page did not change: scoring needs it.
 */
export function listingChanges(before: ListingFacts, after: ListingFacts): ListingField[] {
  const differs: Record<ListingField, boolean> = {
    title: before.title !== after.title,
    subtitle: before.subtitle !== after.subtitle,
    description: before.description !== after.description,
    version: before.version !== after.version,
    score: inSteps(before.score) !== inSteps(after.score),
    ratings: before.ratings !== after.ratings,
  };
  return (Object.keys(differs) as ListingField[]).filter((field) => differs[field]);
}

function inSteps(score: number | null): number | null {
  return score === null ? null : Math.round(score * scoreSteps);
}
