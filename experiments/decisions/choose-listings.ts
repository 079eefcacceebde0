import type { StoreApp } from './store-app.ts';
import { contentWordsIn, scatter, splitTitle, wordsIn } from './words.ts';

/** An app whose title is a brand and a tail that says what it does. */
export type Listing = { app: StoreApp; brand: string; tail: string };

export const halves = ['even', 'odd', 'all'] as const;
/** By store id. Formulas are tuned on the even ids only. */
export type Half = (typeof halves)[number];

const minRatings = 800;
const minTail = 8;
const maxBrandWords = 2;

/** The listings that the decision test can use: no games, 800 ratings or more, a title in ASCII of a short brand and a tail. */
export function eligibleListings(apps: readonly StoreApp[]): Listing[] {
  return apps.flatMap((app) => {
    const listing = { app, ...splitTitle(app.title) };
    return isEligible(listing) ? [listing] : [];
  });
}

/** Up to `count` of one half, in an order that looks random and is always the same. */
export function chooseListings(eligible: readonly Listing[], half: Half, count: number): Listing[] {
  return eligible
    .filter(({ app }) => half === 'all' || (app.id % 2 === 0) === (half === 'even'))
    .toSorted((one, other) => scatter(one.app.id) - scatter(other.app.id))
    .slice(0, count);
}

function isEligible({ app, brand, tail }: Listing): boolean {
  if (app.genre === 'Games' || app.ratings < minRatings || !/^[\x20-\x7e–—’]+$/.test(app.title)) return false;
  if (brand.length < 3 || wordsIn(brand).length > maxBrandWords) return false;
  return tail.length >= minTail && contentWordsIn(tail).length >= 2;
}
