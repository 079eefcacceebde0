/**
 * The fields whose change makes a new revision, with a version row and an event. All other fields are stored as last
 * read.
 */
export type ListingFacts = {
  title: string;
  subtitle: string | null;
  description: string;
  version: string | null;
  /** Average rating, 0 to 5. */
  score: number | null;
  ratings: number | null;
};

export type ListingField = keyof ListingFacts;

/** Stores show at most two decimals; further decimals change with every single rating. */
const scoreSteps = 100;

/**
 * Returns the fields that differ, in a fixed order. Texts are compared exactly, scores at two decimals. A value that
 * appears or disappears (null on one side) differs. So a subtitle that becomes known for the first time counts as a
 * change, although the store's page is the same: scoring needs it.
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
