import { storefrontOf } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { listingTerms } from '../domain/audit/words/listing-terms.ts';
import { textsOf } from '../domain/listing-context.ts';
import { createFormOf } from '../domain/text/form-of.ts';
import {
  type Basket,
  type Candidate,
  drawBasket,
  filledBasketTerms,
  hasThinBasket,
  maxBasketTerms,
  nextBasket,
} from '../domain/visibility/basket.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { ListingStore, ListingToDraw } from '../stores/listing-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';
import { basketCandidates } from './basket-candidates.ts';
import { rankedTerms } from './find-kept-form-ranks.ts';
import { type SaveRanksDeps, saveNewestRanks } from './save-ranks.ts';

/** An account has started or stopped to track a keyword for a listing. */
export type KeywordChange = {
  listing_id: number;
  /** null: not known here, because only the event that it is not tracked any more has come */
  keyword: string | null;
  /** `measured`: tracked, with complete scores of today; `unmeasured`: tracked, and measured soon */
  state: 'measured' | 'unmeasured' | 'removed';
  /** Its event that a keyword is tracked may have been handled before, perhaps in part. */
  isRepeated: boolean;
};

export type RedrawBasketDeps = SaveRanksDeps & {
  listings: Pick<ListingStore, 'findToDraw'>;
  baskets: Pick<BasketStore, 'findNewest' | 'save'>;
  trackedTerms: Pick<TrackedTermStore, 'listKeywords'>;
  terms: Pick<TermStore, 'findScores' | 'findRankings'>;
  /** See `ServiceDeps`. Then the listing must be locked meanwhile. */
  isOnlyCopy: boolean;
  now: () => Date;
};

/**
 * What an audit would do after these changes of a listing's tracked keywords, without one: its report does not depend on them, but for
 * ranks of other forms of its own words, and of the rest only the basket, while it is open (not fixed). The changes must be stored
 * before. May be repeated: after a crash the event comes again, and the ranks of its keywords are saved again.
 *
 * Cost: two queries; for an open basket up to three more, and the writes of the basket and of the ranks of new terms. One of more than
 * ten terms that has the measured keywords already takes one write only, and none in the only copy.
 * @returns false, perhaps after saving the basket, when only an audit does the rest: an open basket waits until a keyword is measured, or
 *   gets terms of the description; a keyword is another form of a word of the listing; one that no account tracks must be read every day
 *   from now on; or an audit that runs may have read the keywords before
 */
export async function redrawBasket(
  deps: RedrawBasketDeps,
  listingId: number,
  changes: readonly KeywordChange[],
): Promise<boolean> {
  if (changes.some(({ keyword }) => keyword === null)) return false;
  // Before all other reads: an audit that read earlier keywords has then saved its basket, or still has its claim.
  const listing = await deps.listings.findToDraw(listingId);
  // The audit with which it is followed reads the keywords.
  if (listing?.due_at == null || listing.followed_since_day === null) return true;
  if (listing.claimed_by != null) return false;
  const basket = await deps.baskets.findNewest(listingId);
  if (!basket) return false;
  const known = keywordsOf(basket.terms);
  const isKnown = ({ keyword, state, isRepeated }: KeywordChange) =>
    keyword !== null && known.has(keyword) && state === 'measured' && !isRepeated;
  // What drew them saves their ranks, also after a crash. With few terms, some may be of the description, and leave with the next draw.
  if (!basket.is_fixed && known.size > filledBasketTerms && changes.every(isKnown))
    // Its new revision: a copy that draws it without them, because it has read the tracked ones before, does not save it. In the only
    // copy the listing is locked meanwhile, and an audit that has read them has a claim.
    return deps.isOnlyCopy || deps.baskets.save(listing, basket, basket);
  const removed = keywordsOf(changes.filter(({ state }) => state === 'removed'));
  const keepsTerms = !basket.terms.some(({ keyword }) => removed.has(keyword));
  if (basket.is_fixed && changes.every(({ state }) => state === 'removed')) return keepsTerms;
  const aimed = findAimed(listing);
  if (hasOtherForm(listing, aimed, changes)) return false;
  if (basket.is_fixed) return keepsTerms;
  if (changes.some(({ state }) => state === 'unmeasured')) return false;

  const tracked = await deps.trackedTerms.listKeywords(listingId, maxBasketTerms);
  const own = aimed.map(({ keyword }) => keyword);
  const isTracked = new Set(tracked);
  const added = keywordsOf(changes.filter(({ state }) => state === 'measured'));
  const left = new Set([...removed].filter((keyword) => !isTracked.has(keyword)));
  const candidates = await findDrawable(deps, listing, { basket, added, left, tracked, own });
  // An audit looks for terms of the description that fill it.
  if (hasThinBasket(candidates)) return false;
  const day = utcDay(deps.now());
  const drawn = drawBasket({ ...candidates, described: [] });
  const plan = { day, firstDay: listing.followed_since_day, isDailyAudit: false };
  const next = nextBasket(basket, drawn, plan) ?? basket;
  const isAdded = (keyword: string) => added.has(keyword) && isTracked.has(keyword);
  if (next.terms.some(({ keyword }) => !known.has(keyword) && !isAdded(keyword))) return false;
  // Also when it stays as it is: a copy that handles another event at the same time has read other keywords. One of both is not saved.
  const isSaved = (deps.isOnlyCopy && next === basket) || (await deps.baskets.save(listing, next, basket));
  if (!isSaved) return false;
  const addedTerms = next.terms.filter(({ keyword }) => isAdded(keyword));
  if (addedTerms.length > 0) await saveNewestRanks(deps, listing, addedTerms);
  return !next.terms.some(({ keyword }) => left.has(keyword));
}

type TextTerm = ReturnType<typeof listingTerms>[number];

/** The terms of name and subtitle. The store never shows a keywords field. */
function findAimed(listing: ListingToDraw): TextTerm[] {
  // Without the description: its words are not drawn here, and never displace those of the other fields.
  const texts = textsOf({
    title: listing.content?.title,
    subtitle: listing.content?.subtitle,
    description: null,
  });
  return listingTerms({ storefront: storefrontOf(listing), texts });
}

/** Whether a keyword is another form of a term of the listing: the app's rank for it counts in the next audit (`findKeptFormRanks`). */
function hasOtherForm(
  { lang, candidates }: ListingToDraw,
  aimed: readonly TextTerm[],
  changes: readonly KeywordChange[],
): boolean {
  const added = keywordsOf(changes.filter(({ state }) => state !== 'removed'));
  if (added.size === 0) return false;
  const ranked = new Set(rankedTerms(aimed, candidates?.terms ?? []));
  const formOf = createFormOf(lang);
  const forms = new Set([...ranked].map(formOf));
  return [...added].some((keyword) => !ranked.has(keyword) && forms.has(formOf(keyword)));
}

/**
 * As an audit finds them, from the scores of those that may be missing in the basket. Its terms keep their weights until the next audit, at
 * the latest the daily one that fixes it. Of other tracked keywords the last audit could not draw those that found no place in it, and
 * another one follows when they are measured.
 */
async function findDrawable(
  { terms }: Pick<RedrawBasketDeps, 'terms'>,
  listing: ListingToDraw,
  {
    basket,
    added,
    left,
    tracked,
    own,
  }: {
    basket: Pick<Basket, 'terms'>;
    added: ReadonlySet<string>;
    /** Not tracked by any account any more. */
    left: ReadonlySet<string>;
    tracked: readonly string[];
    own: readonly string[];
  },
) {
  // What is not tracked any more may be drawn for another reason, or not.
  const drawn = new Map(
    basket.terms
      .filter(({ keyword }) => !left.has(keyword))
      .map(({ keyword, traffic }): [string, Candidate] => [
        keyword,
        { keyword, traffic, searchStatus: 'searched', isBrand: false },
      ]),
  );
  // A basket that is not full has all that could be drawn of the keywords that were read: as many as it has room for. Before these
  // changes there may have been more.
  const isCut = basket.terms.length === maxBasketTerms || tracked.length + left.size >= maxBasketTerms;
  const others = isCut ? [...tracked, ...own] : [...added, ...own.filter((keyword) => left.has(keyword))];
  const unread = others.filter((keyword) => !drawn.has(keyword));
  const scores = await terms.findScores(storefrontOf(listing), unread);
  const toCandidates = (keywords: readonly string[]) =>
    keywords.flatMap((keyword) => drawn.get(keyword) ?? basketCandidates([keyword], scores, listing.app_id));
  return { tracked: toCandidates(tracked), own: toCandidates(own) };
}

function keywordsOf(items: readonly { keyword: string | null }[]): Set<string> {
  return new Set(items.flatMap(({ keyword }) => keyword ?? []));
}
