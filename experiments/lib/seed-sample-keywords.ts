import type { Store } from '@shelfwise/facts/stores/store';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { forDailyRun } from '@shelfwise/store-fetch/call-budget/urgency';
import { createSampleSource } from '@shelfwise/store-fetch/sources/sample/sample-source';
import { nextReading } from '@shelfwise/tracking/domain/next-reading';
import type { Connection } from 'mongoose';

const nouns =
  'habit tracker,photo editor,budget planner,recipe book,weather radar,sleep sounds,yoga classes,step counter,to do list,notes,calendar,scanner,vpn,podcast player,music player,video editor,language course,flashcards,chess,sudoku,word games,solitaire,running app,workout app,meditation,diary,weight loss,water reminder,medication reminder,period calendar,bank app,stock keywordMarket,crypto wallet,shopping list,coupons,food delivery,taxi,flight tracker,hotel deals,maps,translator,news,radio,dating,messenger,email,cloud storage,wallpapers,drawing,piano'.split(
    ',',
  );
const modifiers = [
  'free,best,easy,simple,smart,offline,daily,family,pro,kids',
  'app,plus,planner,helper,online,coach,guide,for work,for students,for beginners',
].map((words) => words.split(','));
const countries = 'US,GB,CA,AU,IE,NZ,IN,SG,ZA,PH'.split(',');
const stores: readonly Store[] = ['ITUNES', 'GPLAY'];
const rowsPerWrite = 1000;
/** The number of different result pages of yesterday. Keywords share them, which does not affect today's run. */
const pageCount = 200;

/** Distinct keywords of the sample store; 100,000 at most. */
function chooseKeywordMarkets(count: number) {
  const [before = [], after = []] = modifiers;
  const storefronts = countries.flatMap((country) => stores.map((store) => ({ store, country, lang: 'en' })));
  const keywordMarkets = after.flatMap((last) =>
    before.flatMap((first) =>
      nouns.flatMap((noun) =>
        storefronts.map((storefront) => ({ ...storefront, keyword: `${first} ${noun} ${last}` })),
      ),
    ),
  );
  if (count > keywordMarkets.length) throw new Error(`At most ${keywordMarkets.length} keywords.`);
  return keywordMarkets.slice(0, count);
}

/**
 * Fills tracking's database with keywords that one account tracks and that were read yesterday. Writes the documents
 * that tracking would write, but in large batches. The collections and indexes must exist.
 */
export async function seedSampleKeywords(connection: Connection, count: number, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - dayMs);
  const [today, day] = [utcDay(now), utcDay(yesterday)];
  const pages = await readPages(yesterday);
  const taken = { day, taken_at: yesterday, source: 'sample' };
  const keywordMarkets = chooseKeywordMarkets(count).map((keywordMarket, index) => ({
    _id: index + 1,
    ...keywordMarket,
  }));
  const insert = async (collection: string, rows: readonly object[]) => {
    await connection.collection(collection).insertMany([...rows], { ordered: false });
  };
  for (let at = 0; at < keywordMarkets.length; at += rowsPerWrite) {
    const batch = keywordMarkets.slice(at, at + rowsPerWrite).map((keywordMarket) => {
      const plannedAt = nextReading(keywordMarket._id, day, today);
      return { keywordMarket, plannedAt, page: pages[keywordMarket._id % pages.length] ?? [] };
    });
    await insert(
      'markets',
      batch.map(({ keywordMarket, plannedAt, page }) => ({
        ...keywordMarket,
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
      batch.map(({ keywordMarket, page }) => ({
        _id: `${keywordMarket._id}:${day}`,
        keyword_id: keywordMarket._id,
        ...taken,
        app_ids: page,
      })),
    );
    await insert(
      'tracked_keywords',
      batch.map(({ keywordMarket }) => ({
        account_id: 'size',
        listing_id: 1,
        keyword_id: keywordMarket._id,
        keyword: keywordMarket.keyword,
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
