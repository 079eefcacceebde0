import { type Collection, overallCategory } from '@shelfwise/facts/stores/categories';
import { z } from 'zod';
import type { StoreAnswer } from '../../http/call-store.ts';
import type { ChartedApp } from '../../source.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { dropRepeated } from '../drop-repeated.ts';
import { averageScore, currencyCode, orNull, plainText, webUrl } from '../field-shapes.ts';
import type { ScraperInput } from './call-scraper.ts';
import { packageName, parseMapped } from './parse-mapped.ts';
import { readableRow } from './readable-row.ts';
import { readRpcAnswer, writeRpcAnswer } from './rpc-answer.ts';
import { valueAt } from './value-at.ts';

/** The names that google-play-scraper uses. */
export const playCollections: Readonly<Record<Collection, string>> = {
  free: 'TOP_FREE',
  paid: 'TOP_PAID',
  grossing: 'GROSSING',
};

/** The category key of the chart of all apps. */
export const overallChart = 'APPLICATION';

/** Only the id is required: no other field changes a rank. */
const rows = z.array(
  z.object({
    appId: packageName,
    title: orNull(plainText),
    icon: orNull(webUrl),
    developer: orNull(plainText),
    score: orNull(averageScore),
    /** NaN when the store does not say. */
    price: orNull(z.number().nonnegative()),
    currency: orNull(currencyCode),
  }),
);

/**
 * Writes a chart in the form that the scraper reads. The scraper has no form for empty charts, which exist: for
 * example, some categories have no chart of paid apps.
 */
export function readChart(
  answer: StoreAnswer,
  query: { category: string; collection: Collection },
): ScraperInput<null> {
  const payload = readRpcAnswer(answer, 'vyAe2');
  const list = valueAt(payload, [0, 1, 0, 28, 0]);
  const isFilled = Array.isArray(list) && list.length > 0;
  if (!isFilled && (isNeverEmpty(query) || !isEmpty(payload))) {
    throw new StoreFailure('malformed', 'sent a top chart without its list of apps (vyAe2)');
  }
  const cluster = Array(29).fill(null);
  cluster[28] = [isFilled ? list.map(readableRow) : []];
  return { text: writeRpcAnswer('vyAe2', [[null, [cluster]]], { isChunked: true }), extra: null };
}

export function toChartedApps(mapped: unknown): ChartedApp[] {
  return dropRepeated(parseMapped(rows, mapped), ({ appId }) => appId).map(
    ({ appId, developer, score, ...row }) => ({
      ...row,
      app_id: appId,
      developer_name: developer,
      score: score || null,
    }),
  );
}

/** Categories that are no app's genre: their charts may be empty. */
const rarelyCharted: ReadonlySet<string> = new Set(['ANDROID_WEAR', 'FAMILY', 'WATCH_FACE']);

/**
 * Whether a chart always has apps: the charts of all apps, of games, and of the free apps of a genre. If one of them
 * is empty, the store has changed its answers.
 */
function isNeverEmpty({ category, collection }: { category: string; collection: Collection }): boolean {
  if (category === overallCategory || category === 'GAME') return true;
  return collection === 'free' && !rarelyCharted.has(category);
}

/** Whether the answer has the form of an empty chart: no payload, or clusters (parts of a chart) without content. */
function isEmpty(payload: unknown): boolean {
  if (payload === null) return true;
  const clusters = valueAt(payload, [0, 1]);
  return Array.isArray(clusters) && clusters.length > 0 && clusters.every(isWithoutContent);
}

/** Whether a cluster has nothing but a token and empty lists. */
function isWithoutContent(cluster: unknown): boolean {
  const content = Array.isArray(cluster) ? cluster.toSpliced(tokenIndex, 1, null) : [cluster];
  return content.every((part) => part === null || JSON.stringify(part).replace(/[[\],]|null/g, '') === '');
}

/** The position of the token within a cluster. */
const tokenIndex = 3;
