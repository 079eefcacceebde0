import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError } from '@shelfwise/runtime/errors';
import type { ListingResult, LiveStore, ReadOptions } from '../../source.ts';
import { dropRepeated } from '../drop-repeated.ts';
import { identifyApp } from './app-id.ts';
import { limitWait } from './limit-wait.ts';
import type { LookUp, LookUpResult } from './look-up.ts';
import { type ReadAppPage, subtitleOn } from './read-app-page.ts';
import { toListing } from './to-listing.ts';

/** How many pages one request for listings reads concurrently. */
const pagesAtOnce = 4;

export type ListingWaitLimits = {
  /** How long one listing waits for its subtitle after the look-up. */
  subtitleMs: number;
  /** How long after the request several listings stop waiting for missing subtitles. */
  subtitlesMs: number;
};

/** Reads listings: the rows of look-ups, and the subtitles from the apps' pages. */
export function createReadListings(deps: {
  lookUp: LookUp;
  readAppPage: ReadAppPage;
  waitLimits: ListingWaitLimits;
}): Pick<LiveStore, 'getListing' | 'getListings'> {
  const { lookUp, readAppPage, waitLimits } = deps;
  return {
    async getListing(storefront, appId, { withSubtitle, ...options }) {
      const app = identifyApp(appId);
      const pageWait = limitWait(options);
      try {
        // With the number, the page's address is known before the look-up.
        const hasNumber = withSubtitle && app?.field === 'trackId';
        const earlyPage = hasNumber ? readAppPage(storefront, app, pageWait.options) : null;
        // If the look-up fails, this promise is not awaited; its rejection must not end the process.
        earlyPage?.catch(() => {});
        const [result] = await lookUp(storefront, [appId], options);
        if (result === undefined || result instanceof AppError) throw result;
        const { row, ...reading } = result;
        if (!withSubtitle) return { ...reading, listing: toListing(row, null) };
        pageWait.endIn(waitLimits.subtitleMs);
        const page = await (earlyPage ?? readAppPage(storefront, { id: row.trackId, row }, pageWait.options));
        return { ...reading, listing: toListing(row, subtitleOn(page, row)) };
      } finally {
        pageWait.end();
      }
    },

    async getListings(storefront, appIds, { withSubtitle, ...options }) {
      const pagesWait = limitWait(options);
      pagesWait.endIn(waitLimits.subtitlesMs);
      try {
        const results = await lookUp(storefront, appIds, options);
        const subtitles = withSubtitle
          ? await readSubtitles(storefront, results, pagesWait.options)
          : new Map();
        return results.map((result, i) => toListingResult(appIds[i] ?? '', result, subtitles));
      } finally {
        pagesWait.end();
      }
    },
  };

  async function readSubtitles(
    storefront: Storefront,
    results: readonly LookUpResult[],
    options: ReadOptions,
  ): Promise<Subtitles> {
    const rows = results.flatMap((result) => (result instanceof AppError ? [] : [result.row]));
    const apps = dropRepeated(rows, ({ trackId }) => trackId);
    const subtitles = await mapLimited(apps, pagesAtOnce, async (row) => {
      const page = await readAppPage(storefront, { id: row.trackId, row }, options);
      return [row.trackId, subtitleOn(page, row)] as const;
    });
    return new Map(subtitles);
  }
}

type Subtitles = ReadonlyMap<number, string | null>;

function toListingResult(appId: string, result: LookUpResult, subtitles: Subtitles): ListingResult {
  if (result instanceof AppError) return { appId, outcome: result };
  const { row, ...reading } = result;
  return { appId, outcome: { ...reading, listing: toListing(row, subtitles.get(row.trackId) ?? null) } };
}
