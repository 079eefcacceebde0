import { isCategory, overallCategory } from '@shelfwise/facts/stores/categories';
import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallWithBudget } from '../../budget/call-with-budget.ts';
import type { Listing, ListingResult, LiveStore, Reading, ReadOptions } from '../../source.ts';
import type { Endpoint } from '../../store-health/endpoints.ts';
import { appNotFound } from '../../store-health/store-failure.ts';
import { checkCanary } from '../check-canary.ts';
import { readAppPage, toListing } from './app-page.ts';
import { callScraper, type ScraperQuery } from './call-scraper.ts';
import { packageName } from './parse-mapped.ts';
import { toPlayLanguage } from './play-language.ts';
import { readSearchPage, toFoundApps } from './search-page.ts';
import { readSuggestions, toQueryPrefix, toTerms, toWellFormed } from './suggestions.ts';
import { overallChart, playCollections, readChart, toChartedApps } from './top-chart.ts';

export type GooglePlaySourceDeps = {
  callWithBudget: CallWithBudget;
  baseUrl: string;
  /** Time limit for one call: connecting, headers and body together. */
  timeoutMs: number;
  now: () => Date;
};

type PlayQuery<Extra, Answer> = ScraperQuery<Extra, Answer> & {
  endpoint: Endpoint;
  storefront: Storefront;
  /** What is asked about: a term, a chart, the id of an app (`Question`). */
  item: string;
  expects: 'data' | 'html';
  mayBeMissing?: boolean;
};

/**
 * Loading google-play-scraper with its dependencies takes a sixth of the start time, so it is loaded at the first
 * request to Google Play.
 */
const loadScraper = async () => (await import('google-play-scraper')).default;

/** Search results that the scraper returns at most: more than any page shows, so that it drops none. */
const maxResults = 250;
/** Rows requested of a chart: as many as any caller may ask for. */
const maxChartRows = 200;
const listingsAtOnce = 4;

/**
 * The live Google Play, requested and parsed by google-play-scraper, with one store call per read. What the scraper
 * gets to read, and what it returns, is checked here.
 */
export function createGooglePlaySource({
  callWithBudget,
  baseUrl,
  timeoutMs,
  now,
}: GooglePlaySourceDeps): LiveStore {
  return {
    async search(storefront, term, { limit, ...options }) {
      const { answer, ...reading } = await read(options, {
        endpoint: 'play-search',
        storefront,
        item: term,
        expects: 'html',
        run: async (requestOptions) =>
          (await loadScraper()).search({
            ...localize(storefront),
            term: toWellFormed(term),
            num: maxResults,
            requestOptions,
          }),
        read: readSearchPage,
        toAnswer: toFoundApps,
      });
      return { ...reading, apps: answer.slice(0, limit) };
    },

    getListing: readListing,

    getListings: (storefront, appIds, options) =>
      mapLimited(appIds, listingsAtOnce, async (appId): Promise<ListingResult> => {
        try {
          return { appId, outcome: await readListing(storefront, appId, options) };
        } catch (error) {
          if (!isFailureOfOneApp(error)) throw error;
          return { appId, outcome: error };
        }
      }),

    async suggest(storefront, prefix, options) {
      const term = toQueryPrefix(prefix);
      if (term === '') return { readAt: now(), source: 'google-play', terms: null };
      const { answer, ...reading } = await read(options, {
        endpoint: 'play-suggest',
        storefront,
        item: term,
        expects: 'data',
        run: async (requestOptions) =>
          (await loadScraper()).suggest({ ...localize(storefront), term, requestOptions }),
        read: readSuggestions,
        toAnswer: (mapped) => checkCanary(toTerms(mapped), options),
      });
      return { ...reading, terms: answer };
    },

    async chart(storefront, { limit, ...query }, options) {
      if (!isCategory('GPLAY', query.category)) {
        throw invalidParams({ category: 'is not a category of Google Play' });
      }
      const category = query.category === overallCategory ? overallChart : query.category;
      const collection = playCollections[query.collection];
      const { answer, ...reading } = await read(options, {
        endpoint: 'play-chart',
        storefront,
        item: `${category} ${collection}`,
        expects: 'data',
        run: async (requestOptions) =>
          (await loadScraper()).list({
            ...localize(storefront),
            category,
            collection,
            num: maxChartRows,
            requestOptions,
          }),
        read: (page) => readChart(page, query),
        toAnswer: toChartedApps,
      });
      return { ...reading, apps: answer.slice(0, limit) };
    },
  };

  async function readListing(
    storefront: Storefront,
    appId: string,
    options: ReadOptions,
  ): Promise<Reading & { listing: Listing }> {
    if (!packageName.safeParse(appId).success) throw appNotFound(storefront, appId);
    const { answer, ...reading } = await read(options, {
      endpoint: 'play-app',
      storefront,
      item: appId,
      expects: 'html',
      mayBeMissing: true,
      run: async (requestOptions) =>
        (await loadScraper()).app({ ...localize(storefront), appId, requestOptions }),
      read: (page) => {
        if (page.status === 404) throw appNotFound(storefront, appId);
        return readAppPage(page, appId);
      },
      toAnswer: (mapped, extra) => toListing(mapped, appId, extra),
    });
    return { ...reading, listing: answer };
  }

  function read<Extra, Answer>(
    { urgency, signal, requestId }: ReadOptions,
    { endpoint, storefront, item, expects, mayBeMissing = false, ...query }: PlayQuery<Extra, Answer>,
  ): Promise<Reading & { answer: Answer }> {
    const { country } = storefront;
    const question = { key: `${storefrontKey(storefront)} ${item}`, items: [item], country };
    return callWithBudget({ endpoint, question, urgency, signal, requestId }, async (attempt) => {
      // Before the call: a page that is under way at midnight must not get a later day than its own.
      const readAt = now();
      const call = { ...attempt, baseUrl, timeoutMs, expects, mayBeMissing };
      return { readAt, source: 'google-play', answer: await callScraper(call, query) };
    });
  }
}

function localize({ country, lang }: Storefront): { country: string; lang: string } {
  return { country, lang: toPlayLanguage(lang) };
}

/** Any other error, such as a lost database, fails the whole request. */
function isFailureOfOneApp(error: unknown): error is AppError {
  return error instanceof AppError && ['APP_NOT_FOUND', 'STORE_FETCH_FAILED'].includes(error.code);
}
