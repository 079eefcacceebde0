import { databaseOfSource } from '@shelfwise/app/start/open-databases';
import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import { scoringDatabase } from '@shelfwise/scoring/config';
import { createStores } from '@shelfwise/scoring/create-stores';
import { maxBasketTerms } from '@shelfwise/scoring/domain/visibility/basket';
import { keptPageDays } from '@shelfwise/scoring/stores/page-day-store';
import type { SampleSystem } from '../../testing/system/start-sample-system.ts';
import { until } from '../../testing/until.ts';
import { openEmbeddedDatabase } from '../lib/open-embedded-database.ts';
import { appId, storefront } from './on-sample.ts';
import { type PageOf, pageBefore, seededKeyword } from './seeded-pages.ts';

/**
 * The first tracked keywords become the basket of the listing, as full as it may be and fixed, with the pages of as many days as are
 * kept and the ranks on them. `seedKeptPages` must track them.
 */
export async function seedShares(
  { system }: SampleSystem,
  { listingId, pageOf }: { listingId: number; pageOf: PageOf },
): Promise<void> {
  const database = await openEmbeddedDatabase(system.dataDir, databaseOfSource(scoringDatabase, 'sample'));
  const { baskets, pageDays, visibilityDays } = createStores(database);
  const today = utcDay(new Date());
  const terms = Array.from({ length: maxBasketTerms }, (_, index) => ({
    keyword: seededKeyword(index),
    traffic: (7 * index) % 101,
  }));
  const owner = { _id: listingId, app_id: appId, ...storefront };
  const fixed = {
    from_day: daysBefore(today, keptPageDays),
    month: today.slice(0, 7),
    is_fixed: true,
    terms,
  };
  // An audit that draws another one at the same time reads this one then, and leaves it.
  await until(async () => {
    const known = await baskets.findNewest(listingId);
    return baskets.save(owner, { version: known?.version ?? 1, ...fixed }, known);
  });
  for (let daysAgo = 0; daysAgo < keptPageDays; daysAgo++) {
    const pages = new Map(
      terms.map(({ keyword }, index) => [keyword, pageBefore(pageOf(index), daysAgo)] as const),
    );
    const ranks = new Map([...pages].map(([keyword, page]) => [keyword, page.indexOf(appId) + 1 || null]));
    const day = daysBefore(today, daysAgo);
    await pageDays.savePages([{ listingId, day, pages }]);
    await visibilityDays.saveRanks([{ listingId, day, ranks, emptyPages: new Set() }]);
  }
  await database.close();
}
