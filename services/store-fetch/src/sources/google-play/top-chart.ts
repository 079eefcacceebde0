import { type Collection, overallCategory } from '@shelfwise/facts/categories';
import { z } from 'zod';
import type { StoreAnswer } from '../../http/call-store.ts';
import { dropRepeated } from '../app-store/drop-repeated.ts';
import type { ChartedApp } from '../source.ts';
import { StoreFailure } from '../store-failure.ts';
import type { HandedOver } from './call-scraper.ts';
import { averageScore, currencyCode, packageName, parseMapped, text, webUrl } from './parse-mapped.ts';
import { readRpcAnswer, writeRpcAnswer } from './rpc-answer.ts';
import { valueAt } from './value-at.ts';

/** As google-play-scraper names them. */
export const playCollections: Readonly<Record<Collection, string>> = {
  free: 'TOP_FREE',
  paid: 'TOP_PAID',
  grossing: 'GROSSING',
};

/** The category of a chart over everything. */
export const everything = 'APPLICATION';

const rows = z.array(
  z.object({
    appId: packageName,
    title: text,
    icon: webUrl,
    developer: text,
    score: averageScore,
    /** NaN: the store does not say. */
    price: z.number().nonnegative().or(z.nan()),
    currency: currencyCode,
  }),
);

/** A chart as the scraper reads it, which knows no empty ones: paid apps of some categories, for one, are not charted. */
export function readChart(
  answer: StoreAnswer,
  wanted: { category: string; collection: Collection },
): HandedOver<null> {
  const payload = readRpcAnswer(answer, 'vyAe2');
  const list = valueAt(payload, [0, 1, 0, 28, 0]);
  if (!Array.isArray(list) && (mayNotBeEmpty(wanted) || !isEmpty(payload))) {
    throw new StoreFailure('garbage', 'sent a top chart without its list of apps (vyAe2)');
  }
  const cluster = Array(29).fill(null);
  cluster[28] = [list ?? []];
  return { text: writeRpcAnswer('vyAe2', [[null, [cluster]]], { isChunked: true }), kept: null };
}

export function toChartedApps(mapped: unknown): ChartedApp[] {
  return dropRepeated(parseMapped(rows, mapped), ({ appId }) => appId).map(
    ({ developer, score, price, currency, ...row }) => ({
      ...row,
      developerName: developer,
      score: score || null,
      price: Number.isNaN(price) ? null : price,
      currency: currency ?? null,
    }),
  );
}

/** A store without free apps or without free games has changed its answers. */
function mayNotBeEmpty({ category, collection }: { category: string; collection: Collection }): boolean {
  return collection === 'free' && (category === overallCategory || category === 'GAME');
}

/** Whatever an empty chart looks like, it links to no app. */
function isEmpty(payload: unknown): boolean {
  return (
    payload === null || (Array.isArray(payload) && !JSON.stringify(payload).includes('/store/apps/details'))
  );
}
