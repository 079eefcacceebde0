import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import { setTracing } from '@shelfwise/runtime/tracing/tracing';
import type { Api, ApiAnswer } from '../../testing/system/api.ts';
import type { SampleSystem } from '../../testing/system/start-sample-system.ts';
import { until } from '../../testing/until.ts';
import { countCall } from '../lib/count-call.ts';
import { createCountingTracing } from '../lib/counting-tracing.ts';
import { defineTimes } from './define-times.ts';
import { appId, type Callers, inStorefront, onSample, storefront } from './on-sample.ts';
import { seedChanges, seedNotes } from './seed-changes.ts';
import { seedKeptPages } from './seed-kept-pages.ts';
import { seedHistory, seedLists } from './seed-lists.ts';
import { seedShares } from './seed-shares.ts';
import { createRivalPages, pageBefore } from './seeded-pages.ts';

/** The goal: how many times as long as a bare Express answer of the same bytes a list takes. */
const maxRatio = 15;
/** Accounts that call in turn. */
const callerCount = 4;
/** Of history: the longest window of shares, and the week before it. */
const days = 98;
const longestShares = 90;
/** Keywords times days, of a rank distribution. */
const mostRanks = 40_000;

type Body = ApiAnswer['body'];
type List = {
  name: string;
  path: string;
  /** An answer without it would not be worth its time. */
  isFull(body: Body): boolean;
  /** It computes more than it lists, so the goal is not for it. */
  isComputed?: boolean;
};

export const times = defineTimes({
  name: 'rivals',
  question:
    'What do the answers about rivals, changes and many ranks take, compared with a bare answer of the same bytes, and how many commands?',
  options: {
    calls: [25, 'calls per list', [5, 500]],
    pages: [100_000, 'kept pages', [30_000, 1_000_000]],
    tracked: [1000, 'tracked keywords of each account', [100, 5000]],
    rivals: [5, 'competitors of each account', [1, 5]],
    only: ['', 'measures only the lists whose name contains the text'],
  },
  async run({ calls, pages, tracked, rivals, only }) {
    // Commands are counted only by connections that are made while tracing is on.
    const counting = createCountingTracing();
    setTracing(counting.tracing);
    try {
      await onSample('rival-times', calls, async ({ sample, callers, table }) => {
        setTracing(null);
        const few = {
          apis: callers.apis.slice(0, callerCount),
          accountIds: callers.accountIds.slice(0, callerCount),
        };
        const app = await seed(sample, few, { pages, tracked, rivals });
        for (const { name, path, isFull, isComputed } of listsOf(app, tracked)) {
          if (!name.includes(only)) continue;
          const { ratio, cpuMs } = await table.show(name, few, { path, isExpected: isFull });
          setTracing(counting.tracing);
          let pages: unknown;
          const cost = await countCall(counting, async () => {
            pages = (await few.apis[0]?.('GET', path))?.body.meta?.pages;
          });
          setTracing(null);
          const goal = `goal of at most ${maxRatio} times ${ratio <= maxRatio ? 'reached' : 'MISSED'}`;
          const read = pages === undefined ? '' : `${pages} pages, `;
          console.log(
            `  ${read}${cpuMs.toFixed(1)} ms of CPU; ${cost.commands} commands, ${cost.rpcs} RPCs; ${isComputed ? 'no list' : goal}`,
          );
        }
      });
    } finally {
      setTracing(null);
    }
  },
});

type SeededApp = { id: number; rivals: readonly string[] };

/** All accounts track the app, the same rivals and the same keywords. */
async function seed(
  sample: SampleSystem,
  callers: Callers,
  { pages, tracked, rivals: count }: { pages: number; tracked: number; rivals: number },
): Promise<SeededApp> {
  const { apis, accountIds } = callers;
  const [firstApi, accountId = ''] = [apis[0] as Api, accountIds[0]];
  const rivals = (await listRivals(firstApi)).slice(0, count);
  const pageOf = createRivalPages(rivals, tracked);
  const { listingId: id, firstKeywordId } = await seedLists(sample, callers, {
    rows: apis.length * tracked,
    rowsPerAccount: tracked,
    keywords: tracked,
    trackedDays: days,
    pageOf,
  });
  for (const rival of rivals)
    for (const api of apis)
      await api('POST', '/competitors', { app_id: id, competitor_app_id: rival, ...storefront });
  await until(async () => {
    const { status, body } = await firstApi('GET', `/applications/${id}/aso-health`);
    return status === 200 && body.data.report !== null;
  });
  await seedHistory(sample, { accountId, listingId: id }, days, pageBefore);
  await seedKeptPages(sample, { accountIds, listingId: id, firstKeywordId, pageOf, pages, tracked });
  await seedShares(sample, { listingId: id, pageOf });
  const changes = { accountIds, listingId: id, days };
  await seedChanges(sample, changes);
  await seedNotes(sample, changes);
  return { id, rivals };
}

function listsOf({ id, rivals }: SeededApp, tracked: number): List[] {
  const appCount = 1 + rivals.length;
  const app = `/applications/${id}`;
  const today = utcDay(new Date());
  const since = (daysAgo: number) => `from=${daysBefore(today, daysAgo)}`;
  const rankDays = Math.min(30, Math.floor(mostRanks / tracked));
  const rankDistribution = (count: number): List => ({
    name: `rank distribution, ${count} days`,
    path: `${app}/rank-distribution?${since(count)}&to=${daysBefore(today, 1)}`,
    isFull: ({ data }) =>
      data.history.length === count &&
      data.history.every((day: Counts) => day.tracked === tracked && day.unread === 0),
    isComputed: true,
  });
  const hasRows = ({ data }: Body) => data.length > 0;
  return [
    { name: 'keyword gap, 50 of the tracked ones', path: `${app}/keyword-gap`, isFull: hasRows },
    { name: 'keyword gap, 50 of all', path: `${app}/keyword-gap?own_min_rank=21`, isFull: hasRows },
    {
      name: 'keyword gap, 1,000 of all',
      path: `${app}/keyword-gap?own_min_rank=21&per_page=1000`,
      isFull: ({ data }) => data.length === 1000,
    },
    {
      name: 'terms of an app, 50',
      path: `/keywords/ranked-by?app_id=${rivals[0]}&${inStorefront}`,
      isFull: hasRows,
    },
    {
      name: 'terms of an app, 1,000',
      path: `/keywords/ranked-by?app_id=${rivals[0]}&per_page=1000&${inStorefront}`,
      isFull: hasRows,
    },
    {
      name: 'rank matrix, 50',
      path: `${app}/rank-matrix?days=7&per_page=50`,
      isFull: hasMatrix(50, appCount),
    },
    {
      name: 'rank matrix, 1,000',
      path: `${app}/rank-matrix?days=7&per_page=1000`,
      isFull: hasMatrix(Math.min(tracked, 1000), appCount),
    },
    {
      name: 'share of voice, one day',
      path: `${app}/share-of-voice?${since(0)}`,
      isFull: hasShares(1),
      isComputed: true,
    },
    {
      name: 'share of voice, 90 days',
      path: `${app}/share-of-voice?${since(longestShares - 1)}`,
      isFull: hasShares(longestShares),
      isComputed: true,
    },
    {
      name: 'changes with rivals, 50',
      path: `${app}/changes?competitors=true&effects=false&per_page=50&${since(days)}`,
      isFull: ({ data }) => data.length === 50 && data.some(isOf(false)) && data.some(isOf(true)),
    },
    {
      name: 'changes and what followed',
      path: `${app}/changes?${since(days)}`,
      isFull: ({ data }) => data.length > 0 && data.every(hasEffect),
      isComputed: true,
    },
    { name: 'notes, 200', path: `${app}/notes?per_page=200`, isFull: ({ data }) => data.length === 200 },
    {
      name: 'ranks of 100 keywords, 30 days',
      path: `${app}/ranks/history?${since(30)}`,
      isFull: hasRanks(1),
    },
    {
      name: '  with those of rivals',
      path: `${app}/ranks/history?competitors=true&${since(30)}`,
      isFull: hasRanks(appCount),
    },
    rankDistribution(7),
    rankDistribution(rankDays),
  ];
}

type Counts = { tracked: number; unread: number };
type Rank = { rank: number | null; delta: number | null };
type Share = { share: number | null; is_own?: boolean };
type Change = { app: { is_own: boolean }; fields: object[]; effect: Effect[] | null };
type Group = { moved: boolean | null };
type Effect = { added: Group; removed: Group; visibility_before: number | null };
type Histories = { apps: { history: { rank: number | null }[] }[] };

const hasMatrix =
  (rows: number, apps: number) =>
  ({ data }: Body) =>
    data.apps.length === apps &&
    data.rows.length === rows &&
    data.rows.some(({ ranks }: { ranks: Rank[] }) =>
      ranks.some(({ rank, delta }) => rank !== null && delta !== null),
    );

const hasShares =
  (count: number) =>
  ({ data }: Body) =>
    data.history.length === count &&
    [data, ...data.history].every(({ apps }: { apps: Share[] }) => apps.every(({ share }) => share !== null));

const isOf =
  (own: boolean) =>
  ({ app, fields }: Change) =>
    app.is_own === own && fields.length > 0;

/** Of 7, 14 and 28 days; no keyword has the words of the first title and of the last. */
function hasEffect({ effect }: Change): boolean {
  const isKnown = ({ added, removed, visibility_before: visibility }: Effect) =>
    visibility !== null && [added, removed].some(({ moved }) => moved !== null);
  return effect?.length === 3 && effect.every(isKnown);
}

const hasRanks =
  (apps: number) =>
  ({ data }: Body) =>
    data.keywords.length === 100 &&
    data.keywords.every((keyword: Histories) => keyword.apps.length === apps) &&
    data.keywords.some((keyword: Histories) => keyword.apps[0]?.history.some(({ rank }) => rank !== null));

/** The apps of a page of the sample that are not the app. */
async function listRivals(api: Api): Promise<string[]> {
  const { body } = await api('GET', `/keywords/inspect?keyword=habit%20tracker&${inStorefront}`);
  const ids: string[] = body.data.ranking.map((app: { app_id: string }) => app.app_id);
  return ids.filter((one) => one !== appId);
}
