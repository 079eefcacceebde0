import { isCategory, overallCategory } from '@shelfwise/facts/stores/categories';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import { parseJson } from '../../http/parse-body.ts';
import type { ChartedApp, LiveStore, ReadOptions } from '../../source.ts';
import { type ChartRow, parseChartPage } from './chart-page.ts';
import { limitWait } from './limit-wait.ts';
import type { LookUp } from './look-up.ts';
import type { ReadStore } from './read-store.ts';
import type { StoreUrls } from './store-urls.ts';
import { ratingOf } from './to-listing.ts';

/** The store never shows more, whatever the requested limit. */
const maxRows = 100;

/** Reads top charts: a feed, and the scores of its apps by a look-up. */
export function createReadChart(deps: {
  read: ReadStore;
  urls: StoreUrls;
  lookUp: LookUp;
  /** How long after the request a chart stops waiting for its scores, in milliseconds. */
  scoresMs: number;
}): LiveStore['chart'] {
  const { read, urls, lookUp, scoresMs } = deps;
  return async (storefront, { category, collection, limit }, options) => {
    if (!isCategory('ITUNES', category)) {
      throw invalidParams({ category: 'is not a category of the App Store' });
    }
    const genre = category === overallCategory ? null : category;
    const feed = { collection, genre, limit: Math.min(limit, maxRows) };
    const request = {
      endpoint: 'itunes-chart',
      country: storefront.country,
      url: urls.chart(storefront, feed),
      items: [`${category} ${collection}`],
    } as const;
    const scoresWait = limitWait(options);
    scoresWait.endIn(scoresMs);
    try {
      const { answer, ...reading } = await read(request, options, ({ body }) =>
        parseChartPage(parseJson(body), { ...feed, country: storefront.country }),
      );
      return {
        ...reading,
        apps: await addScores(storefront, answer.slice(0, feed.limit), scoresWait.options),
      };
    } finally {
      scoresWait.end();
    }
  };

  /** Scores are null when the look-up fails or takes too long: ranks do not depend on them. */
  async function addScores(
    storefront: Storefront,
    rows: readonly ChartRow[],
    options: ReadOptions,
  ): Promise<ChartedApp[]> {
    const results = await lookUp(
      storefront,
      rows.map((row) => row.app_id),
      options,
    );
    return rows.map((row, i) => {
      const result = results[i];
      const isFound = result !== undefined && !(result instanceof AppError);
      return { ...row, score: isFound ? ratingOf(result.row).score : null };
    });
  }
}
