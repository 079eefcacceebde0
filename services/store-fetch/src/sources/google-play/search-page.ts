import { z } from 'zod';
import type { StoreAnswer } from '../../http/call-store.ts';
import { dropRepeated } from '../drop-repeated.ts';
import { averageScore, text, webUrl } from '../field-shapes.ts';
import type { FoundApp } from '../source.ts';
import { StoreFailure } from '../store-failure.ts';
import type { ScraperInput } from './call-scraper.ts';
import { readBlock, writeBlock } from './page-block.ts';
import { packageName, parseMapped } from './parse-mapped.ts';
import { valueAt } from './value-at.ts';

/** Within a section: its list of apps, and the app that stands large above all others. */
const places = { list: 22, featured: 23 } as const;

/** Where an app that is featured has its id. */
const featuredAppId = [16, 3, '12', 0, 0];

const rows = z.array(
  z.object({ appId: packageName, title: text, icon: webUrl, developer: text, score: averageScore.nullish() }),
);

/**
 * A search page as the scraper reads it, which takes every page without a list of results for one that shows nothing,
 * looks for a featured app in the first section only, and calls the store again for a next page. It gets one section,
 * with the results and the featured app in the order in which people see them, and no next page.
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
  section[places.list] = [featured === null ? list : moveToFront(list, valueAt(featured, featuredAppId))];
  section[places.featured] = featured;
  return { text: writeBlock('ds:4', [[null, [section]]]), extra: null };
}

/** One row that cannot be read fails the page: without it every app below would be given a better rank than it has. */
export function toFoundApps(mapped: unknown): FoundApp[] {
  return dropRepeated(parseMapped(rows, mapped), ({ appId }) => appId).map(
    ({ developer, score, ...row }) => ({
      ...row,
      developerName: developer,
      genre: null,
      genreKey: null,
      score: score || null,
      ratings: null,
      updatedAt: null,
    }),
  );
}

function findList(sections: readonly unknown[]): unknown[] | null {
  const lists = sections.map((section) => valueAt(section, [places.list, 0]));
  return lists.find((list): list is unknown[] => Array.isArray(list) && list.length > 0) ?? null;
}

/** It may be in any section, and has been seen at other places of it. */
function findFeatured(sections: readonly unknown[]): unknown {
  for (const section of sections) {
    if (!Array.isArray(section)) continue;
    const featured = section.find((part) => typeof valueAt(part, featuredAppId) === 'string');
    if (featured !== undefined) return featured;
    if (section[places.featured]) {
      throw new StoreFailure('malformed', 'sent a search page whose featured app has no id (ds:4)');
    }
  }
  return null;
}

/**
 * A card of one app above the list, an app that is not among the results, is the featured one at a place that is not
 * known: without it every app would be given a better rank than it has. A shelf of several apps is none.
 */
function refuseUnknownCard(sections: readonly unknown[], list: unknown[], featuredId: unknown): void {
  const above = sections.slice(
    0,
    sections.findIndex((section) => valueAt(section, [places.list, 0]) === list),
  );
  const known = new Set([featuredId, ...list.map((row) => valueAt(row, [0, 0, 0]))]);
  for (const section of above) {
    const [appId, ...others] = linkedApps(section);
    if (appId === undefined || others.length > 0 || known.has(appId)) continue;
    throw new StoreFailure(
      'malformed',
      `sent a search page whose featured app (${appId}) has another shape (ds:4)`,
    );
  }
}

function linkedApps(section: unknown): string[] {
  const links = JSON.stringify(section ?? null).matchAll(/\/store\/apps\/details\?id=([\w.]+)/g);
  return [...new Set([...links].map(([, appId = '']) => appId))];
}

/** An app that is featured and listed, too, has the first rank. */
function moveToFront(list: readonly unknown[], appId: unknown): unknown[] {
  const isOfApp = (row: unknown) => valueAt(row, [0, 0, 0]) === appId;
  return [...list.filter(isOfApp), ...list.filter((row) => !isOfApp(row))];
}

/** Where the store has nothing to show, no app is linked to anywhere on its page. */
function linksToApps({ body }: StoreAnswer): boolean {
  return body.includes('/store/apps/details');
}
