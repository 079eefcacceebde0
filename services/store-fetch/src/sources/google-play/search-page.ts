import { z } from 'zod';
import type { StoreAnswer } from '../../http/call-store.ts';
import type { FoundApp } from '../../source.ts';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { dropRepeated } from '../drop-repeated.ts';
import { averageScore, orNull, plainText, webUrl } from '../field-shapes.ts';
import type { ScraperInput } from './call-scraper.ts';
import { readBlock, writeBlock } from './page-block.ts';
import { packageName, parseMapped } from './parse-mapped.ts';
import { readableRow } from './readable-row.ts';
import { valueAt } from './value-at.ts';

/** Positions within a section of the page: its list of apps, and the featured app, which is shown above all others. */
const positions = { list: 22, featured: 23 } as const;

/** Position of the id within a featured app. */
const featuredAppId = [16, 3, '12', 0, 0];

/** Only the id is required: no other field changes a rank. */
const rows = z.array(
  z.object({
    appId: packageName,
    title: orNull(plainText),
    icon: orNull(webUrl),
    developer: orNull(plainText),
    score: orNull(averageScore),
  }),
);

/**
 * Rewrites a search page for the scraper. The scraper takes every page without a result list for an empty one. It looks
 * for a featured app in the first section only, and calls the store for a next page. The rewritten page has one section
 * with the results and the featured app in visible order, and no next page.
 */
export function readSearchPage(answer: StoreAnswer): ScraperInput<null> {
  const sections = valueAt(readBlock(answer, 'ds:4'), [0, 1]);
  if (!Array.isArray(sections))
    throw new StoreFailure('malformed', 'sent a search page without sections (ds:4)');
  const list = findList(sections);
  if (list === null) {
    if (linksToApps(answer)) {
      throw new StoreFailure(
        'malformed',
        'sent a search page with apps on it, but without a list of results (ds:4)',
      );
    }
    return { text: writeBlock('ds:4', [[null, []]]), extra: null };
  }
  const featured = findFeatured(sections);
  refuseUnknownCard(sections, list, valueAt(featured, featuredAppId));
  const section = Array(24).fill(null);
  const shown = featured === null ? list : moveToFront(list, valueAt(featured, featuredAppId));
  section[positions.list] = [shown.map(readableRow)];
  section[positions.featured] = featured && readableFeatured(featured);
  return { text: writeBlock('ds:4', [[null, [section]]]), extra: null };
}

/** One row without an id fails the whole page: leaving it out would improve the ranks of all apps below it. */
export function toFoundApps(mapped: unknown): FoundApp[] {
  return dropRepeated(parseMapped(rows, mapped), ({ appId }) => appId).map(
    ({ appId, developer, score, ...row }) => ({
      ...row,
      app_id: appId,
      developer_name: developer,
      genre: null,
      genre_key: null,
      score: score || null,
      ratings: null,
      updated_at: null,
    }),
  );
}

/** The featured app with the fields in use: the scraper fails on other fields of another type. */
function readableFeatured(featured: unknown): unknown[] {
  const details = Array(96).fill(null);
  for (const position of [0, 51, 95]) details[position] = valueAt(featured, [16, 2, position]) ?? null;
  details[68] = [valueAt(featured, [16, 2, 68, 0]) ?? null];
  const copy = Array(17).fill(null);
  copy[16] = [null, null, details, { 12: [[valueAt(featured, featuredAppId)]] }];
  return copy;
}

function findList(sections: readonly unknown[]): unknown[] | null {
  const lists = sections.map((section) => valueAt(section, [positions.list, 0]));
  return lists.find((list): list is unknown[] => Array.isArray(list) && list.length > 0) ?? null;
}

/** The featured app may be in any section and in various positions. */
function findFeatured(sections: readonly unknown[]): unknown {
  for (const section of sections) {
    if (!Array.isArray(section)) continue;
    const featured = section.find((part) => typeof valueAt(part, featuredAppId) === 'string');
    if (featured !== undefined) return featured;
    if (section[positions.featured]) {
      throw new StoreFailure('malformed', 'sent a search page whose featured app has no id (ds:4)');
    }
  }
  return null;
}

/**
 * Refuses a page with a card of a single app above the list when that app is not among the results. The card may be a
 * featured app: without it all apps would rank too high. A shelf of several apps is not such a card.
 */
function refuseUnknownCard(sections: readonly unknown[], list: unknown[], featuredId: unknown): void {
  const sectionsAbove = sections.slice(
    0,
    sections.findIndex((section) => valueAt(section, [positions.list, 0]) === list),
  );
  const knownIds = new Set([featuredId, ...list.map((row) => valueAt(row, [0, 0, 0]))]);
  for (const section of sectionsAbove) {
    const [appId, ...others] = linkedApps(section);
    if (appId === undefined || others.length > 0 || knownIds.has(appId)) continue;
    throw new StoreFailure(
      'malformed',
      `sent a search page whose featured app (${appId}) has another shape (ds:4)`,
    );
  }
}

/** The ids of all apps to which a section links. */
function linkedApps(section: unknown): string[] {
  const links = JSON.stringify(section ?? null).matchAll(/\/store\/apps\/details\?id=([\w.]+)/g);
  return [...new Set([...links].map(([, appId = '']) => appId))];
}

/** An app that is both featured and listed has the first rank only. */
function moveToFront(list: readonly unknown[], appId: unknown): unknown[] {
  const isOfApp = (row: unknown) => valueAt(row, [0, 0, 0]) === appId;
  return [...list.filter(isOfApp), ...list.filter((row) => !isOfApp(row))];
}

/** When the store has no results, its page links to no app. */
function linksToApps({ body }: StoreAnswer): boolean {
  return body.includes('/store/apps/details');
}
