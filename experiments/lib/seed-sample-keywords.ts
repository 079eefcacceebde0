import { createSourceGuard } from '@shelfwise/facts/source-guard';
import { resolveLanguageAlias } from '@shelfwise/facts/stores/language-alias';
import type { Store } from '@shelfwise/facts/stores/store';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import { forDailyRun } from '@shelfwise/store-fetch/budget/urgency';
import { createSampleSource } from '@shelfwise/store-fetch/sources/sample/sample-source';
import { createStores } from '@shelfwise/tracking/create-dependencies';
import { nextReading } from '@shelfwise/tracking/domain/next-reading';
import { type Snapshot, topDepth } from '@shelfwise/tracking/domain/snapshot';
import type { KeywordMarket, KeywordMarketPlan } from '@shelfwise/tracking/stores/keyword-market-store';
import type { TrackedKeyword } from '@shelfwise/tracking/stores/tracked-keyword-store';
import { type Connection, Types } from 'mongoose';
import { insertDocuments } from './insert-documents.ts';

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
/** The number of different result pages of yesterday. Keywords share them, which does not affect today's run. */
const pageCount = 200;

/** Distinct keywords of the sample store; 100,000 at most. */
function chooseKeywordMarkets(count: number) {
  const [before = [], after = []] = modifiers;
  const storefronts = countries.flatMap((country) =>
    stores.map((store) => resolveLanguageAlias({ store, country, lang: 'en' })),
  );
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

type PlannedKeywordMarket = KeywordMarket & Omit<KeywordMarketPlan, 'claimed_by'>;

/**
 * Fills tracking's database with keywords that one account tracks and that were read yesterday. Writes the documents
 * that tracking would write, but in large batches. The collections and indexes must exist.
 */
export async function seedSampleKeywords(connection: Connection, count: number, now: Date): Promise<void> {
  const { keywordMarkets, snapshots, trackedKeywords } = createStores(connection);
  const yesterday = new Date(now.getTime() - dayMs);
  const [today, day] = [utcDay(now), utcDay(yesterday)];
  const pages = await readPages(yesterday);
  const firstId = await keywordMarkets.takeIds(count);
  const keywords = chooseKeywordMarkets(count).map((keywordMarket, index) => {
    const id = firstId + index;
    const snapshot: Snapshot = {
      day,
      taken_at: yesterday,
      source: 'sample',
      app_ids: pages[id % pages.length] ?? [],
      revision: 1,
    };
    return { id, keywordMarket, snapshot };
  });
  type Keyword = (typeof keywords)[number];

  const toKeywordMarket = ({ id, keywordMarket, snapshot }: Keyword): PlannedKeywordMarket => {
    const plannedAt = nextReading(id, day, today);
    const top = snapshot.app_ids.slice(0, topDepth);
    return {
      _id: id,
      ...keywordMarket,
      latest: {
        ...snapshot,
        top: top.map((appId) => ({ app_id: appId, title: appId, icon: '', ratings: null })),
      },
      tracker_count: 1,
      last_tracked_at: yesterday,
      planned_at: plannedAt,
      due_at: plannedAt,
      failures: 0,
    };
  };
  const toTrackedKeyword = ({ id, keywordMarket }: Keyword): TrackedKeyword => ({
    _id: new Types.ObjectId(),
    account_id: 'size',
    listing_id: 1,
    keyword_id: id,
    keyword: keywordMarket.keyword,
    active: true,
    favorite_order: 1,
    tracked_since: yesterday,
    removed_at: null,
  });

  await createSourceGuard({ connection }).admit('sample');
  await insertDocuments(keywordMarkets.model, keywords, toKeywordMarket);
  await insertDocuments(snapshots.model, keywords, ({ id, snapshot }) => ({
    _id: `${id}:${day}`,
    keyword_id: id,
    ...snapshot,
  }));
  await insertDocuments(trackedKeywords.model, keywords, toTrackedKeyword);
}

async function readPages(at: Date): Promise<string[][]> {
  const source = createSampleSource({ now: () => at });
  const pages: string[][] = [];
  for (const { keyword, ...storefront } of chooseKeywordMarkets(pageCount)) {
    const options = { limit: 100, onDay: null, urgency: forDailyRun, signal: new AbortController().signal };
    const { apps } = await source.search(storefront, keyword, options);
    pages.push(apps.map((app) => app.app_id));
  }
  return pages;
}
