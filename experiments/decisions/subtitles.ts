import type { Listing } from './choose-listings.ts';
import type { Search } from './search.ts';
import type { StoreApp } from './store-app.ts';
import { contentWordsIn, scatter, singularOf, splitTitle, toSubtitle, wordsIn } from './words.ts';

export const subtitleKinds = ['own', 'sameGenre', 'otherGenre', 'names'] as const;
export type SubtitleKind = (typeof subtitleKinds)[number];

/** Null: there is none. */
export type Subtitles = Record<SubtitleKind, string | null>;

/** A word of more than this share of the descriptions says nothing about an app. */
const commonShare = 0.12;
const maxBrandWords = 2;
const maxNames = 4;

/**
 * What may be written into the empty subtitle of a listing that is only its brand:
 * - own: the tail of its own title
 * - sameGenre, otherGenre: the tail of another listing. It has no word in common with the own tail, and none that the
 *   listing's description has, common words aside
 * - names: the brands of the first apps for its own words
 */
export function createSubtitles(
  apps: readonly StoreApp[],
  eligible: readonly Listing[],
  search: Search,
): (listing: Listing) => Subtitles {
  const isCommon = createIsCommon(apps);
  return (listing) => {
    const own = toSubtitle(listing.tail);
    const taken = new Set([
      ...wordsIn(own).map(singularOf),
      ...wordsIn(listing.app.description)
        .map(singularOf)
        .filter((word) => !isCommon(word)),
    ]);
    const tailOf = (isWanted: (app: StoreApp) => boolean): string | null => {
      const others = eligible.filter(({ app }) => app !== listing.app && isWanted(app));
      return foreignTail(listing, others, taken);
    };
    return {
      own: own || null,
      sameGenre: tailOf(({ genre }) => genre === listing.app.genre),
      otherGenre: tailOf(({ genre }) => genre !== listing.app.genre),
      names: namesOf(listing, own, search) || null,
    };
  };
}

/** The tail of the first listing, in an order that looks random, with two content words or more, none of them taken. */
function foreignTail(
  { app }: Listing,
  others: readonly Listing[],
  taken: ReadonlySet<string>,
): string | null {
  const order = (other: Listing) => scatter(app.id, other.app.id);
  for (const { tail } of others.toSorted((one, other) => order(one) - order(other))) {
    const subtitle = toSubtitle(tail);
    const words = contentWordsIn(subtitle).map(singularOf);
    if (words.length >= 2 && !words.some((word) => taken.has(word))) return subtitle;
  }
  return null;
}

function namesOf(listing: Listing, own: string, search: Search): string {
  const query = contentWordsIn(own).slice(0, 2).join(' ');
  const brands = search(query, listing)
    .filter((app) => app !== listing.app)
    .map(({ title }) => splitTitle(title).brand)
    .filter((brand) => wordsIn(brand).length <= maxBrandWords);
  return toSubtitle(brands.slice(0, maxNames).join(' '));
}

function createIsCommon(apps: readonly StoreApp[]): (word: string) => boolean {
  const counts = new Map<string, number>();
  for (const { description } of apps)
    for (const word of new Set(wordsIn(description).map(singularOf)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => (counts.get(word) ?? 0) / apps.length > commonShare;
}
