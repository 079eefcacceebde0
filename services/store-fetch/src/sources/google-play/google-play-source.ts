import { isCategory, overallCategory } from '@shelfwise/facts/categories';
import type { Storefront } from '@shelfwise/facts/storefront';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import { mapLimited } from '@shelfwise/runtime/map-limited';
import type { AskStore, Endpoint } from '../../call-budget/ask-store.ts';
import { checkCanary } from '../live-checks.ts';
import { refusePastDay } from '../refuse-past-day.ts';
import { rejectWhenGivenUp } from '../reject-when-aborted.ts';
import type { Listing, ListingResult, Reading, ReadOptions, StoreSource } from '../source.ts';
import { readAppPage, toListing } from './app-page.ts';
import { callScraper, type ScraperQuestion } from './call-scraper.ts';
import { packageName } from './parse-mapped.ts';
import { toPlayLanguage } from './play-language.ts';
import { readSearchPage, toFoundApps } from './search-page.ts';
import { readSuggestions, toAskedPrefix, toTerms, toWellFormed } from './suggestions.ts';
import { everything, playCollections, readChart, toChartedApps } from './top-chart.ts';

export type GooglePlaySourceDeps = {
  askStore: AskStore;
  baseUrl: string;
  /** For one call: connecting, headers and body together. */
  timeoutMs: number;
  now: () => Date;
};

type Question<Kept, Answer> = ScraperQuestion<Kept, Answer> & {
  endpoint: Endpoint;
  expects: 'data' | 'html';
  mayBeMissing?: boolean;
};

/** With all that it brings along it takes a sixth of a start to load: who reads no Google Play is not to wait for it. */
const loadScraper = async () => (await import('google-play-scraper')).default;

/** More than any page shows: the scraper is to cut nothing off. */
const mostResults = 250;
const mostCharted = 200;
const listingsAtOnce = 4;

/**
 * The live Google Play, which google-play-scraper knows how to ask and to read. One call to the store per reading;
 * what the scraper gets to see, and what it makes of that, is checked here.
 */
export function createGooglePlaySource({
  askStore,
  baseUrl,
  timeoutMs,
  now,
}: GooglePlaySourceDeps): StoreSource {
  return rejectWhenGivenUp({
    async search(storefront, term, { limit, onDay, ...options }) {
      refusePastDay(onDay);
      const { answer, ...reading } = await read(options, {
        endpoint: 'play-search',
        expects: 'html',
        ask: async (requestOptions) =>
          (await loadScraper()).search({
            ...localize(storefront),
            term: toWellFormed(term),
            num: mostResults,
            requestOptions,
          }),
        read: readSearchPage,
        toAnswer: toFoundApps,
      });
      return { ...reading, apps: answer.slice(0, limit) };
    },

    getListing: readListing,

    getListings: (storefront, appIds, { freshSince: _, ...options }) =>
      mapLimited(appIds, listingsAtOnce, async (appId): Promise<ListingResult> => {
        try {
          return { appId, outcome: await readListing(storefront, appId, options) };
        } catch (error) {
          if (!isOfOneApp(error)) throw error;
          return { appId, outcome: error };
        }
      }),

    async suggest(storefront, prefix, options) {
      const term = toAskedPrefix(prefix);
      if (term === '') return { readAt: now(), source: 'google-play', terms: null };
      const { answer, ...reading } = await read(options, {
        endpoint: 'play-suggest',
        expects: 'data',
        ask: async (requestOptions) =>
          (await loadScraper()).suggest({ ...localize(storefront), term, requestOptions }),
        read: readSuggestions,
        toAnswer: (mapped) => checkCanary(toTerms(mapped), options),
      });
      return { ...reading, terms: answer };
    },

    async chart(storefront, { limit, ...wanted }, { onDay = null, ...options }) {
      refusePastDay(onDay);
      if (!isCategory('GPLAY', wanted.category)) {
        throw invalidParams({ category: 'is none of Google Play' });
      }
      const category = wanted.category === overallCategory ? everything : wanted.category;
      const collection = playCollections[wanted.collection];
      const { answer, ...reading } = await read(options, {
        endpoint: 'play-chart',
        expects: 'data',
        ask: async (requestOptions) =>
          (await loadScraper()).list({
            ...localize(storefront),
            category,
            collection,
            num: mostCharted,
            requestOptions,
          }),
        read: (page) => readChart(page, wanted),
        toAnswer: toChartedApps,
      });
      return { ...reading, apps: answer.slice(0, limit) };
    },
  });

  async function readListing(
    storefront: Storefront,
    appId: string,
    options: ReadOptions,
  ): Promise<Reading & { listing: Listing }> {
    if (!packageName.safeParse(appId).success) throw appNotFound(appId, storefront);
    const { answer, ...reading } = await read(options, {
      endpoint: 'play-app',
      expects: 'html',
      mayBeMissing: true,
      ask: async (requestOptions) =>
        (await loadScraper()).app({ ...localize(storefront), appId, requestOptions }),
      read: (page) => {
        if (page.status === 404) throw appNotFound(appId, storefront);
        return readAppPage(page, appId);
      },
      toAnswer: (mapped, kept) => toListing(mapped, appId, kept),
    });
    return { ...reading, listing: answer };
  }

  function read<Kept, Answer>(
    { urgency, signal }: ReadOptions,
    { endpoint, expects, mayBeMissing = false, ...question }: Question<Kept, Answer>,
  ): Promise<Reading & { answer: Answer }> {
    return askStore({ endpoint, urgency, signal }, async (attempt) => {
      // The moment before the call: an answer that is under way at midnight belongs to the day on which it was asked
      // for, and never bears a later day than the page that it holds.
      const readAt = now();
      const call = { ...attempt, baseUrl, timeoutMs, expects, mayBeMissing };
      return { readAt, source: 'google-play', answer: await callScraper(call, question) };
    });
  }
}

function localize({ country, lang }: Storefront): { country: string; lang: string } {
  return { country, lang: toPlayLanguage(lang) };
}

/** Anything else, such as a lost database, is the failure of all. */
function isOfOneApp(error: unknown): error is AppError {
  return error instanceof AppError && ['APP_NOT_FOUND', 'STORE_FETCH_FAILED'].includes(error.code);
}

function appNotFound(appId: string, { country }: Storefront): AppError {
  return new AppError('APP_NOT_FOUND', `Google Play has no app ${appId} in ${country}.`);
}
