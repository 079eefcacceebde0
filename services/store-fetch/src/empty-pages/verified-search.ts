import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import { dayMs, startOfDay, utcDay } from '@shelfwise/runtime/day';
import type { AppError } from '@shelfwise/runtime/errors';
import { LRUCache } from 'lru-cache';
import type { FoundApp, FoundPage, LiveStores, Reading, ReadOptions, StoreSource } from '../source.ts';
import { StoreFailure, storeFetchFailed, unprovenPage } from '../store-health/store-failure.ts';
import type { DoubtedStorefront } from '../stores/doubted-storefront-store.ts';
import { newSearchTerm, type SearchTerm, type SearchTermStore } from '../stores/search-term-store.ts';
import {
  addLook,
  areEnoughLooks,
  compareSize,
  isSteady,
  lookStillValid,
  needsSuggestion,
} from './belief-rule.ts';
import { createCanaries, isStoreFetchFailed } from './canaries.ts';
import type { StorefrontDoubt } from './storefront-doubt.ts';

type Page = Reading & { apps: FoundApp[] };
type SearchOptions = ReadOptions & {
  limit: number;
  /** Whether the caller's last page of the term had results; null: it has none. */
  hadResults: boolean | null;
};

/** What became of an empty page, as a label of the metric. */
export type EmptyPageOutcome = 'believed' | 'unproven' | 'suspect';

export type VerifiedSearchDeps = {
  stores: LiveStores;
  terms: SearchTermStore;
  doubt: StorefrontDoubt;
  suggest: StoreSource['suggest'];
  chart: StoreSource['chart'];
  now: () => Date;
  onEmptyPage?: (storefront: Storefront, outcome: EmptyPageOutcome) => void;
  onCanary?: Parameters<typeof createCanaries>[0]['onCanary'];
};

/** A page with results within this time contradicts an empty one. */
const contradictedMs = 3_600_000;
/** How long a term counts as not suggested: as long as a score counts its suggestions as new. */
const unsuggestedMs = 7 * dayMs;
/** Of the recent looks that this process remembers, so that a term is not read again too soon. */
const maxRecentLooks = 5000;
/** A caller that waits gets another look after this time. */
const urgentPauseMs = 60_000;
/** The daily run gets the second look of a day after ten minutes, and further ones, which seldom decide, hours later. */
const dailyPauseMs = 10 * 60_000;
const longDailyPauseMs = 3 * 3_600_000;

/**
 * Searches a store and believes no empty page at once. A store may answer without results by mistake, for a whole day
 * and only for some terms and countries.
 *
 * - In a suspect storefront no empty page is believed (`createStorefrontDoubt`).
 * - Otherwise each look at an empty page is followed by a canary. The page is believed after enough looks
 *   (`areEnoughLooks`); the database keeps them per term.
 * - A page with results is returned as it is, with the mark of a suspect storefront. It ends the looks at its term.
 * @throws STORE_FETCH_FAILED when an empty page is not believed; marked as unproven when it is one of the looks that
 *   count
 */
export function createVerifiedSearch(deps: VerifiedSearchDeps) {
  const { stores, terms, doubt, suggest, chart, now, onEmptyPage = () => {} } = deps;
  /** By storefront and term: when it was last looked at, and how often on that day. */
  const recentLooks = new LRUCache<string, { at: Date; count: number }>({ max: maxRecentLooks });
  const canaries = createCanaries({
    terms,
    async readPage(storefront, term, options) {
      const page = await stores[storefront.store].search(storefront, term, { ...options, limit: canaryRows });
      if (page.apps.length > 0) await onResults(storefront, term, page);
      return page;
    },
    async readFirstOfChart(storefront, options) {
      const { apps } = await chart(
        storefront,
        { category: 'OVERALL', collection: 'free', limit: 1 },
        options,
      );
      return apps[0]?.title ?? null;
    },
    now,
    onCanary: deps.onCanary ?? (() => {}),
  });

  async function onResults(storefront: Storefront, term: string, { apps, readAt }: Page): Promise<void> {
    const known = (await terms.find(storefront, term)) ?? newSearchTerm(term);
    if (await contradicts(storefront, known, readAt)) await doubt.addSign(storefront, 'contradicted');
    const size = { lastSize: known.last_size, shrunkOn: known.shrunk_on };
    const { lastSize, shrunkOn, hasShrunk } = compareSize(size, apps.length, utcDay(readAt));
    const found = { last_size: lastSize, shrunk_on: shrunkOn, last_read_at: readAt, results_at: readAt };
    await terms.save(storefront, { ...known, ...found, looks: [] }, now());
    if (hasShrunk) await doubt.addShrunkPage(storefront, term);
    else await doubt.addGoodPage(storefront, readAt);
  }

  /** Whether the term's page was empty within the last hour, and nothing was known yet to be wrong with the storefront. */
  async function contradicts(storefront: Storefront, known: SearchTerm, readAt: Date): Promise<boolean> {
    const { looks, last_size: lastSize, last_read_at: lastReadAt } = known;
    const empties = [...looks, ...(lastSize === 0 && lastReadAt ? [lastReadAt] : [])].filter(
      (at) => at < readAt && readAt.getTime() - at.getTime() < contradictedMs,
    );
    if (empties.length === 0) return false;
    const { last_sign_at: lastSignAt = null } = (await doubt.read(storefront)) ?? {};
    return empties.some((at) => lastSignAt === null || at > lastSignAt);
  }

  async function judgeEmpty(
    storefront: Storefront,
    term: string,
    page: Page,
    options: SearchOptions,
  ): Promise<Page> {
    const state = await doubt.read(storefront);
    const known = (await terms.find(storefront, term)) ?? newSearchTerm(term);
    if (state?.is_suspect) {
      // As good as a canary that is empty: the storefront is still not well.
      if (couldBeCanary(known, page.readAt)) await doubt.addSign(storefront, 'empty-canary');
      throw refuse(storefront, 'suspect');
    }
    const result = await canaries.check(storefront, { term, readAt: page.readAt }, options);
    if (result === 'empty') await doubt.addSign(storefront, 'empty-canary');
    if (result !== 'answered') throw refuse(storefront, 'suspect');
    return countLook(storefront, known, state, page, options);
  }

  /** Adds the look that a canary has followed, and returns the page when the looks are enough. */
  async function countLook(
    storefront: Storefront,
    known: SearchTerm,
    state: DoubtedStorefront | null,
    page: Page,
    options: SearchOptions,
  ): Promise<Page> {
    const { readAt } = page;
    const looks = addLook(lookStillValid(known.looks, readAt, state?.last_sign_at ?? null), readAt);
    const looked = { ...known, looks };
    rememberLook(storefront, known.term, readAt, looks);
    const lastSize = lastSizeOf(known, options.hadResults);
    let isSuggested: boolean | null = null;
    if (needsSuggestion(looks, { lastSize })) {
      const isKnown = isKnownUnsuggested(known);
      isSuggested = isKnown ? false : await readIsSuggested(storefront, known.term, options);
      if (!isKnown) looked.unsuggested_at = isSuggested === false ? now() : null;
    }
    if (!areEnoughLooks(looks, { lastSize, isSuggested })) {
      await terms.save(storefront, looked, now());
      throw refuse(storefront, 'unproven');
    }
    await terms.save(storefront, { ...looked, last_size: 0, last_read_at: readAt, shrunk_on: null }, now());
    recentLooks.delete(keyOf(storefront, known.term));
    onEmptyPage(storefront, 'believed');
    return page;
  }

  function isKnownUnsuggested({ unsuggested_at: at }: SearchTerm): boolean {
    return at !== null && now().getTime() - at.getTime() < unsuggestedMs;
  }

  /** Null: not known, because the store's suggestions cannot be read. */
  async function readIsSuggested(
    storefront: Storefront,
    term: string,
    { signal, urgency, requestId }: ReadOptions,
  ): Promise<boolean | null> {
    try {
      const { terms: suggested } = await suggest(storefront, term, { signal, urgency, requestId });
      if (suggested === null) return null;
      const normal = (text: string) => normalizeKeyword(text, storefront.lang);
      return suggested.some((suggestion) => normal(suggestion).startsWith(normal(term)));
    } catch (error) {
      if (signal.aborted || !isStoreFetchFailed(error)) throw error;
      return null;
    }
  }

  function rememberLook(storefront: Storefront, term: string, at: Date, looks: readonly Date[]): void {
    const count = looks.filter((look) => utcDay(look) === utcDay(at)).length;
    recentLooks.set(keyOf(storefront, term), { at, count });
  }

  /** Whether the term was looked at so recently that another look would not decide anything. */
  function isTooSoon(storefront: Storefront, term: string, { urgency }: ReadOptions): boolean {
    const recent = recentLooks.get(keyOf(storefront, term));
    if (!recent || doubt.isKnownSuspect(storefront) || utcDay(recent.at) !== utcDay(now())) return false;
    const ms = now().getTime() - recent.at.getTime();
    const pauseMs = recent.count > 1 ? longDailyPauseMs : dailyPauseMs;
    return ms >= 0 && ms < (urgency.isUrgent() ? urgentPauseMs : pauseMs);
  }

  /** A look that a canary has followed is unproven; otherwise the store may be at fault, as in any other failure. */
  function refuse(storefront: Storefront, outcome: 'unproven' | 'suspect'): AppError {
    onEmptyPage(storefront, outcome);
    const failure = new StoreFailure('unproven', reasons[outcome]);
    return outcome === 'unproven'
      ? unprovenPage(storefront.store, failure)
      : storeFetchFailed(storefront.store, failure);
  }

  return {
    async search(storefront: Storefront, term: string, options: SearchOptions): Promise<FoundPage> {
      if (isTooSoon(storefront, term, options)) throw refuse(storefront, 'unproven');
      const { limit, signal, urgency, requestId } = options;
      const wasSuspect = doubt.isKnownSuspect(storefront);
      const page = await stores[storefront.store].search(storefront, term, {
        limit,
        signal,
        urgency,
        requestId,
      });
      // An empty page is believed only where the storefront is not suspect.
      if (page.apps.length === 0)
        return { ...(await judgeEmpty(storefront, term, page, options)), isSuspect: false };
      recentLooks.delete(keyOf(storefront, term));
      await onResults(storefront, term, page);
      // The page may itself be the sign, or the one after which the storefront is healthy.
      return { ...page, isSuspect: wasSuspect || doubt.isKnownSuspect(storefront) };
    },

    /** Reads a canary of a suspect storefront, to find out whether it is healthy again. */
    async probe(storefront: Storefront, options: ReadOptions): Promise<void> {
      if ((await canaries.probe(storefront, options)) === 'empty')
        await doubt.addSign(storefront, 'empty-canary');
    },
  };
}

/** As many as a search reads, so that its size can be compared. */
const canaryRows = 100;

const reasons = {
  unproven: 'shows no results for this term, which is not believed before it is confirmed',
  suspect: 'shows no results for this term, which is not believed while it shows wrong pages for others',
} as const;

/** The caller may know a page that this service has forgotten. A page with results outweighs an empty one. */
function lastSizeOf({ last_size: lastSize }: SearchTerm, hadResults: boolean | null): number | null {
  if (hadResults === null) return lastSize;
  return Math.max(lastSize ?? 0, hadResults ? 1 : 0);
}

function couldBeCanary({ results_at: resultsAt, last_size: lastSize }: SearchTerm, readAt: Date): boolean {
  const yesterdayMs = startOfDay(utcDay(readAt)).getTime() - dayMs;
  return resultsAt !== null && resultsAt.getTime() >= yesterdayMs && isSteady(lastSize);
}

function keyOf(storefront: Storefront, term: string): string {
  return `${storefrontKey(storefront)} ${term}`;
}
