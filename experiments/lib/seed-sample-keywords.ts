import type { Store } from '@shelfwise/facts/store';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { forDailyRun } from '@shelfwise/store-fetch/politeness/urgency';
import { createSampleSource } from '@shelfwise/store-fetch/sources/sample/sample-source';
import { nextReading } from '@shelfwise/tracking/domain/next-reading';
import type { Connection } from 'mongoose';

const nouns =
  'habit tracker,photo editor,budget planner,recipe book,weather radar,sleep sounds,yoga classes,step counter,to do list,notes,calendar,scanner,vpn,podcast player,music player,video editor,language course,flashcards,chess,sudoku,word games,solitaire,running app,workout app,meditation,diary,weight loss,water reminder,medication reminder,period calendar,bank app,stock market,crypto wallet,shopping list,coupons,food delivery,taxi,flight tracker,hotel deals,maps,translator,news,radio,dating,messenger,email,cloud storage,wallpapers,drawing,piano'.split(
    ',',
  );
const modifiers = [
  'free,best,easy,simple,smart,offline,daily,family,pro,kids',
  'app,plus,planner,helper,online,coach,guide,for work,for students,for beginners',
].map((words) => words.split(','));
const countries = 'US,GB,CA,AU,IE,NZ,IN,SG,ZA,PH'.split(',');
const stores: readonly Store[] = ['ITUNES', 'GPLAY'];
const rowsPerWrite = 1000;
/** Different pages of yesterday; which market has which of them makes no difference to a run of today. */
const pageCount = 200;

/** As many markets of the sample store as asked for, no two the same; 100,000 at most. */
function chooseKeywordMarkets(count: number) {
  const [before = [], after = []] = modifiers;
  const storefronts = countries.flatMap((country) => stores.map((store) => ({ store, country, lang: 'en' })));
  const markets = after.flatMap((last) =>
    before.flatMap((first) =>
      nouns.flatMap((noun) =>
        storefronts.map((storefront) => ({ ...storefront, keyword: `${first} ${noun} ${last}` })),
      ),
    ),
  );
  if (count > markets.length) throw new Error(`At most ${markets.length} markets.`);
  return markets.slice(0, count);
}

/**
 * Fills tracking's database with markets that one account tracks and that were read yesterday, as tracking itself
 * would have left them, but in few large writes. Its collections and indexes must be there.
 */
export async function seedSampleKeywords(connection: Connection, count: number, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - dayMs);
  const [today, day] = [utcDay(now), utcDay(yesterday)];
  const pages = await readPages(yesterday);
  const taken = { day, taken_at: yesterday, source: 'sample' };
  const markets = chooseKeywordMarkets(count).map((market, index) => ({ _id: index + 1, ...market }));
  const insert = async (collection: string, rows: readonly object[]) => {
    await connection.collection(collection).insertMany([...rows], { ordered: false });
  };
  for (let at = 0; at < markets.length; at += rowsPerWrite) {
    const some = markets.slice(at, at + rowsPerWrite).map((market) => {
      const plannedAt = nextReading(market._id, day, today);
      return { market, planned_at: plannedAt, page: pages[market._id % pages.length] ?? [] };
    });
    await insert(
      'markets',
      some.map(({ market, planned_at: plannedAt, page }) => ({
        ...market,
        latest: {
          ...taken,
          app_ids: page,
          top: page.slice(0, 5).map((appId) => ({ app_id: appId, title: appId, icon: '' })),
        },
        watchers: 1,
        watched_at: yesterday,
        planned_at: plannedAt,
        due_at: plannedAt,
        failures: 0,
      })),
    );
    await insert(
      'snapshots',
      some.map(({ market, page }) => ({
        _id: `${market._id}:${day}`,
        keyword_id: market._id,
        ...taken,
        app_ids: page,
      })),
    );
    await insert(
      'tracked_keywords',
      some.map(({ market }) => ({
        account_id: 'size',
        listing_id: 1,
        keyword_id: market._id,
        keyword: market.keyword,
        active: true,
        favorite_order: 1,
        tracked_since: yesterday,
        removed_at: null,
      })),
    );
  }
  await insert('provenance', [{ _id: 'store_source', value: 'sample' }]);
  await insert('counters', [{ _id: 'market', seq: count }]);
}

async function readPages(at: Date): Promise<string[][]> {
  const source = createSampleSource({ now: () => at });
  const pages: string[][] = [];
  for (const { keyword, ...storefront } of chooseKeywordMarkets(pageCount)) {
    const options = { limit: 100, onDay: null, urgency: forDailyRun, signal: new AbortController().signal };
    const { apps } = await source.search(storefront, keyword, options);
    pages.push(apps.map(({ appId }) => appId));
  }
  return pages;
}
