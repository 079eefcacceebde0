import { AppError } from '@shelfwise/runtime/errors';
import type { FoundApp, Listing, Reading, Storefront, StoreSource } from '../source.ts';
import { callStore } from './call-store.ts';
import { toItunesLanguage } from './itunes-language.ts';
import { type ItunesRow, parseLookupPage, parseSearchPage } from './itunes-page.ts';
import { StoreFailure, type StoreFailureKind, storeFetchFailed } from './store-failure.ts';

/** One call to the store as metrics and the health page count it. */
export type AppStoreCall = { endpoint: 'search' | 'lookup'; outcome: 'ok' | StoreFailureKind; ms: number };

export type AppStoreSourceDeps = {
  baseUrl: string;
  /** For one call: connecting, headers and body together. */
  timeoutMs: number;
  now: () => Date;
  fetch?: typeof globalThis.fetch;
  onCall?: (call: AppStoreCall) => void;
};

type Question = {
  endpoint: AppStoreCall['endpoint'];
  storefront: Storefront;
  query: Record<string, string>;
  signal: AbortSignal;
};

/** The live App Store, through its public search and look-up. One call per reading, nothing tried twice. */
export function createAppStoreSource(deps: AppStoreSourceDeps): StoreSource {
  const { timeoutMs, now, fetch = globalThis.fetch, onCall } = deps;
  const baseUrl = deps.baseUrl.replace(/\/+$/, '');

  return {
    async search(storefront, term, { limit, signal }) {
      const query = { term, media: 'software', entity: 'software', limit: String(limit) };
      const { answer, ...reading } = await ask(
        { endpoint: 'search', storefront, query, signal },
        parseSearchPage,
      );
      return { ...reading, apps: answer.slice(0, limit).map(toFoundApp) };
    },

    async getListing(storefront, appId, { signal }) {
      const wanted = identify(appId);
      if (wanted === null) throw appNotFound(appId, storefront);
      const { answer, ...reading } = await ask(
        { endpoint: 'lookup', storefront, query: wanted.query, signal },
        (body) => parseLookupPage(body, wanted.matches),
      );
      if (answer === null) throw appNotFound(appId, storefront);
      return { ...reading, listing: toListing(answer) };
    },
  };

  /** Asks once and reports how it went, an answer that cannot be read included. */
  async function ask<Answer>(
    { endpoint, storefront, query, signal }: Question,
    parse: (body: unknown) => Answer,
  ): Promise<Reading & { answer: Answer }> {
    // The moment before the call: an answer that is under way at midnight belongs to the day on which it was asked
    // for, and never bears a later day than the page that it holds.
    const readAt = now();
    const startedMs = performance.now();
    const report = (outcome: AppStoreCall['outcome']) =>
      onCall?.({ endpoint, outcome, ms: performance.now() - startedMs });
    try {
      const url = addressOf(endpoint, storefront, query);
      const answer = parse(await callStore({ url, timeoutMs, signal, fetch }));
      report('ok');
      return { readAt, source: 'app-store', answer };
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      report(error.kind);
      throw storeFetchFailed(error);
    }
  }

  function addressOf(endpoint: string, storefront: Storefront, query: Record<string, string>): URL {
    const url = new URL(`${baseUrl}/${endpoint}`);
    const { country } = storefront;
    url.search = new URLSearchParams({
      ...query,
      country,
      lang: toItunesLanguage(storefront.lang),
    }).toString();
    return url;
  }
}

/**
 * How to ask for an app, and how to know it in the answer: by its number, else by its bundle id. Null for what is
 * neither: no app has it, and a comma would ask the store for several apps.
 */
function identify(appId: string) {
  if (/^\d+$/.test(appId)) {
    const id = appId.replace(/^0+(?=\d)/, '');
    return { query: { id }, matches: (row: ItunesRow) => String(row.trackId) === id };
  }
  if (!/^[\w.-]+$/.test(appId)) return null;
  // Like the store, which gives no two apps bundle ids that differ in letter case only.
  const matches = (row: ItunesRow) => row.bundleId.toLowerCase() === appId.toLowerCase();
  return { query: { bundleId: appId }, matches };
}

function appNotFound(appId: string, { country }: Storefront): AppError {
  return new AppError('APP_NOT_FOUND', `The App Store has no app ${appId} in ${country}.`);
}

function toFoundApp(row: ItunesRow): FoundApp {
  return {
    appId: String(row.trackId),
    title: row.trackName,
    icon: row.icon,
    developerName: row.artistName,
    genre: row.primaryGenreName,
    ...ratingOf(row),
  };
}

function toListing(row: ItunesRow): Listing {
  const screenshots = row.screenshotUrls ?? [];
  return {
    ...toFoundApp(row),
    bundleId: row.bundleId,
    description: row.description,
    url: row.trackViewUrl,
    // An app for the iPad alone has no others.
    screenshots: screenshots.length > 0 ? screenshots : (row.ipadScreenshotUrls ?? []),
    genre: row.primaryGenreName,
    version: row.version || null,
    releasedAt: row.releaseDate ?? null,
    updatedAt: row.currentVersionReleaseDate ?? null,
  };
}

/** The store writes an average of 0 where nobody has rated; the lowest rating that a person can give is 1. */
function ratingOf({ averageUserRating, userRatingCount }: ItunesRow) {
  return { score: userRatingCount ? averageUserRating || null : null, ratings: userRatingCount ?? null };
}
