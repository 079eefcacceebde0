import { appStoreStorefrontId } from '@shelfwise/facts/storefront-ids';
import type { AskStore } from '../../call-budget/ask-store.ts';
import { decodeText, parseJson } from '../../http/parse-body.ts';
import { checkCanary } from '../live-checks.ts';
import { refusePastDay } from '../refuse-past-day.ts';
import { rejectWhenGivenUp } from '../reject-when-aborted.ts';
import type { StoreSource } from '../source.ts';
import { parseHintsPage } from './hints-page.ts';
import { parseSearchPage } from './itunes-page.ts';
import { createLookUp } from './look-up.ts';
import { createReadAppPage } from './read-app-page.ts';
import { createReadChart } from './read-chart.ts';
import { createReadListings, type ListingPatience } from './read-listings.ts';
import { createStoreReader } from './read-store.ts';
import { type AppStoreHosts, createStoreUrls } from './store-urls.ts';
import { toFoundApp } from './to-listing.ts';

/** How long answers wait for what they can do without. */
export type Patience = ListingPatience & { scoresMs: number };

export type AppStoreSourceDeps = {
  askStore: AskStore;
  urls: AppStoreHosts;
  /** For one call: connecting, headers and body together. */
  timeoutMs: number;
  now: () => Date;
  patience?: Patience;
};

/** Ten suggestions are some 5 KiB. */
const maxHintsKiB = 256;

/** A call waits 25 s at most for its turn, and the callers' shortest deadline is 35 s. */
const usualPatience: Patience = { subtitleMs: 2_000, subtitlesMs: 25_000, scoresMs: 25_000 };

/**
 * The live App Store, through its public search, look-up, suggestions, charts and the apps' web pages. It keeps
 * nothing and tries nothing twice: that is for `askStore` and for whoever caches.
 */
export function createAppStoreSource(deps: AppStoreSourceDeps): StoreSource {
  const { now, patience = usualPatience } = deps;
  const urls = createStoreUrls(deps.urls);
  const read = createStoreReader(deps);
  const lookUp = createLookUp(read, urls);
  const readAppPage = createReadAppPage(read, urls);

  return rejectWhenGivenUp({
    async search(storefront, term, { limit, onDay, ...options }) {
      refusePastDay(onDay);
      const question = { endpoint: 'itunes-search', url: urls.search(storefront, term, limit) } as const;
      const { answer, ...reading } = await read(question, options, ({ body }) =>
        parseSearchPage(parseJson(body)),
      );
      return { ...reading, apps: answer.slice(0, limit).map(toFoundApp) };
    },

    ...createReadListings({ lookUp, readAppPage, patience }),

    async suggest({ country }, prefix, options) {
      const storefrontId = appStoreStorefrontId(country);
      if (storefrontId === null) return { readAt: now(), source: 'app-store', terms: null };
      // Without a language before the comma: the storefront's own. 29 is the kind of device that the hints are for.
      const headers = { 'x-apple-store-front': `${storefrontId},29` };
      const url = urls.hints(prefix);
      const question = { endpoint: 'itunes-hints', url, headers, maxKiB: maxHintsKiB } as const;
      const { answer, ...reading } = await read(question, options, ({ body }) =>
        checkCanary(parseHintsPage(decodeText(body)), options),
      );
      return { ...reading, terms: answer };
    },

    chart: createReadChart({ read, urls, lookUp, scoresMs: patience.scoresMs }),
  });
}
