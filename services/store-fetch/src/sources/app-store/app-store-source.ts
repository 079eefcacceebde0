import { appStoreStorefrontId } from '@shelfwise/facts/stores/storefront-ids';
import type { CallWithBudget } from '../../budget/call-with-budget.ts';
import { decodeText, parseJson } from '../../http/parse-body.ts';
import type { LiveStore } from '../../source.ts';
import { checkCanary } from '../check-canary.ts';
import { parseHintsPage } from './hints-page.ts';
import { parseSearchPage } from './itunes-page.ts';
import { createLookUp } from './look-up.ts';
import { createReadAppPage } from './read-app-page.ts';
import { createReadChart } from './read-chart.ts';
import { createReadListings, type ListingWaitLimits } from './read-listings.ts';
import { createReadStore } from './read-store.ts';
import { type AppStoreHosts, createStoreUrls } from './store-urls.ts';
import { toFoundApp } from './to-listing.ts';

/** How long answers wait for their optional parts, in milliseconds. */
export type WaitLimits = ListingWaitLimits & { scoresMs: number };

export type AppStoreSourceDeps = {
  callWithBudget: CallWithBudget;
  urls: AppStoreHosts;
  /** Time limit for one call: connecting, headers and body together. */
  timeoutMs: number;
  now: () => Date;
  waitLimits?: WaitLimits;
};

/** Ten suggestions are about 5 KiB. */
const maxHintsKiB = 256;

/**
 * The shortest deadline of a caller is 35 s, and the call for the required part may wait 25 s for its slot. Optional
 * parts must not use up the rest.
 */
const defaultWaitLimits: WaitLimits = { subtitleMs: 2_000, subtitlesMs: 25_000, scoresMs: 25_000 };

/**
 * The live App Store: its public search, look-up, suggestions and charts, and the apps' web pages. Caching and
 * retries are up to the live source and `callWithBudget`.
 */
export function createAppStoreSource(deps: AppStoreSourceDeps): LiveStore {
  const { now, waitLimits = defaultWaitLimits } = deps;
  const urls = createStoreUrls(deps.urls);
  const read = createReadStore(deps);
  const lookUp = createLookUp(read, urls);
  const readAppPage = createReadAppPage(read, urls);

  return {
    async search(storefront, term, { limit, ...options }) {
      const url = urls.search(storefront, term, limit);
      const { country } = storefront;
      const request = { endpoint: 'itunes-search', country, url, items: [term] } as const;
      const { answer, ...reading } = await read(request, options, ({ body }) =>
        parseSearchPage(parseJson(body)),
      );
      return { ...reading, apps: answer.slice(0, limit).map(toFoundApp) };
    },

    ...createReadListings({ lookUp, readAppPage, waitLimits }),

    async suggest({ country }, prefix, options) {
      const storefrontId = appStoreStorefrontId(country);
      if (storefrontId === null) return { readAt: now(), source: 'app-store', terms: null };
      // No language before the comma means the storefront's own language. 29 is the device type.
      const headers = { 'x-apple-store-front': `${storefrontId},29` };
      const url = urls.hints(prefix);
      const request = {
        endpoint: 'itunes-hints',
        country,
        url,
        items: [prefix],
        headers,
        maxKiB: maxHintsKiB,
      } as const;
      const { answer, ...reading } = await read(request, options, ({ body }) =>
        checkCanary(parseHintsPage(decodeText(body)), options),
      );
      return { ...reading, terms: answer };
    },

    chart: createReadChart({ read, urls, lookUp, scoresMs: waitLimits.scoresMs }),
  };
}
