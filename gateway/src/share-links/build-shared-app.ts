import { toSparkText } from '@shelfwise/dashboard/charts/spark-text';
import { rankFigure } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { SharedAppModel } from '@shelfwise/dashboard/pages/shared-app/model';
import type { CallForPage } from '../dashboard/call-as-session.ts';
import { toVisibility } from '../dashboard/pages/app-page.ts';
import { appNotFound, dataOf, dataOr, toAppHead, whyFailed } from '../dashboard/pages/page-context.ts';
import { readDistribution } from '../dashboard/pages/read-distribution.ts';
import { firstShownDay, shownChanges, toChangedListing } from '../dashboard/pages/read-timeline.ts';
import type { StoreState } from '../dashboard/store-state.ts';
import { getScoreHistory } from '../routes/get-score-history.ts';
import { listApplications } from '../routes/list-applications.ts';
import { listChanges } from '../routes/list-changes.ts';
import { listKeywords } from '../routes/list-keywords.ts';
import { listRankHistories } from '../routes/list-rank-histories.ts';
import type { SharedApp } from './share-links.ts';

/**
 * Six calls, all of what is kept: the apps, the visibility and the distribution by day, the keywords with their ranks (the
 * first 1,000), the first 100 by day, and the changes of the listing. Of the answers it takes only what may be shown to
 * strangers: of a change neither what a draft predicted nor what followed.
 * @throws APP_NOT_FOUND when the account does not track the app any more
 */
export async function buildSharedApp(
  call: CallForPage,
  {
    appId,
    plan,
    expiresAt,
    readStoreState,
    now,
  }: Pick<SharedApp, 'appId' | 'plan' | 'expiresAt'> & {
    readStoreState: () => Promise<StoreState>;
    now: Date;
  },
): Promise<PageData> {
  const params = { id: String(appId) };
  const [applications, history, distribution, keywords, histories, changes, store] = await Promise.all([
    call(listApplications),
    call(getScoreHistory, { params }),
    readDistribution({ call, plan, now }, params.id),
    call(listKeywords, { query: { app_id: String(appId) } }),
    call(listRankHistories, { params }),
    call(listChanges, {
      params,
      query: { effects: 'false', from: firstShownDay({ plan, now }), per_page: shownChanges },
    }),
    // With the calls: many views that wait for it first would all begin at once.
    readStoreState(),
  ]);
  const found = dataOf(applications).find(({ id }) => id === appId);
  if (!found) throw appNotFound();
  // Strangers get no icon.
  const { id: _id, hasIcon: _hasIcon, ...app } = toAppHead(found);
  const listed = dataOf(keywords);
  const days = 'meta' in histories ? { from: histories.meta.from, to: histories.meta.to } : null;
  const read = new Map(
    dataOr(histories, null)?.keywords.map(({ keyword_id: id, apps: [own] }) => [id, own?.history ?? []]),
  );
  const rows = listed.map((row): SharedAppModel['ranks']['rows'][number] => {
    const ranks = read.get(row.keyword_id);
    return {
      keyword: row.keyword,
      rank: rankFigure(row.current_rank, {
        depth: row.result_count,
        day: row.rank_date,
        age: row.stale ? 'stale' : 'fresh',
      }),
      spark: ranks && days ? toSparkText(days.from, days.to, ranks) : null,
      day: row.rank_date,
    };
  });
  return {
    page: 'shared-app',
    frame: null,
    model: {
      app,
      isSample: store.isSample,
      readOn:
        rows
          .map(({ day }) => day)
          .toSorted()
          .at(-1) ?? null,
      endsAt: expiresAt.toISOString(),
      visibility: toVisibility(dataOr(history, null)?.history ?? []),
      distribution: distribution.distribution,
      changes: dataOr(changes, [])
        .filter(({ app: changed }) => changed.is_own)
        .map(toChangedListing),
      hasMoreChanges: 'meta' in changes && changes.meta.has_more,
      missing: {
        visibility: whyFailed(history),
        distribution: distribution.missing,
        changes: whyFailed(changes),
      },
      ranks: { days, rows, hasMore: 'meta' in keywords && keywords.meta.has_more },
    },
  };
}
