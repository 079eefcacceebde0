import { type Figure, known, knownOr, pending, rankFigure, unknown } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { AppModel, Mover } from '@shelfwise/dashboard/pages/app/model';
import type { z } from 'zod';
import type { getAsoHealth } from '../../routes/get-aso-health.ts';
import { getScoreHistory } from '../../routes/get-score-history.ts';
import { listApplications } from '../../routes/list-applications.ts';
import type { listMovers } from '../../routes/list-movers.ts';
import { fullSnapshotDepth } from '../../routes/shapes/shapes.ts';
import { getAuditScores } from './audit-scores.ts';
import { changeOf } from './keywords-page.ts';
import { readMoversAndRanks } from './movers-and-ranks.ts';
import {
  appNotFound,
  dataOf,
  dataOr,
  type PageContext,
  toAppHead,
  toFrame,
  whyFailed,
} from './page-context.ts';
import { readTimeline } from './read-timeline.ts';
import { toProgress } from './report-parts.ts';
import { toTopKeyword } from './top-keywords.ts';

const periods = ['1', '7', '30'] as const;
/** As many as are read at a glance. */
const shownMovers = '20';

type Audit = z.output<typeof getAsoHealth.data>;
type VisibilityDay = z.output<typeof getScoreHistory.data>['history'][number];
type MoverRow = z.output<typeof listMovers.data>[number];

/**
 * Six calls, and at most one more: the apps, the stored audit, the visibility by day, what moved most with where the keywords rank
 * and which bring most, and the two of the timeline, or three.
 */
export async function buildApp(context: PageContext, appId: string, wantedDays: unknown): Promise<PageData> {
  const days = periods.find((one) => one === wantedDays) ?? '7';
  const params = { id: appId };
  const [applications, audit, history, { movers, ranks }, timeline] = await Promise.all([
    context.call(listApplications),
    context.call(getAuditScores, { params }),
    context.call(getScoreHistory, { params }),
    readMoversAndRanks(context, appId, { days, per_page: shownMovers }),
    readTimeline(context, appId, { withRivals: true }),
  ]);
  const apps = dataOf(applications);
  const app = apps.find(({ id }) => String(id) === appId);
  if (!app) throw appNotFound();
  const {
    report = null,
    pending: awaited = null,
    global_without_kw_field: withoutField = null,
  } = dataOr(audit, null) ?? {};
  const shallow = 'meta' in movers ? (movers.meta.snapshot_depths ?? []) : [];
  const depths = new Map(shallow.map((one) => [`${one.keyword_id} ${one.date}`, one.depth]));
  const depthOf = (keywordId: number, day: string) => depths.get(`${keywordId} ${day}`) ?? fullSnapshotDepth;
  const noMovers = whyFailed(movers);
  return {
    page: 'app',
    frame: toFrame(context, apps, { appId }),
    model: {
      app: toAppHead(app),
      awaited: toProgress(awaited),
      health: {
        ...toHealth(report, 'failure' in audit ? unknown('no_answer') : pending),
        withoutField: withoutField === null ? null : known(withoutField),
      },
      visibility: toVisibility(dataOr(history, null)?.history ?? []),
      distribution: ranks.distribution,
      movers: {
        days,
        rows: (dataOr(movers, null)?.movers ?? []).map((row) => toMover(row, depthOf)),
        missing: noMovers,
        total: 'meta' in movers ? known(movers.meta.total) : unknown(noMovers ?? 'no_answer'),
        unread: 'meta' in movers ? known(movers.meta.unread) : unknown(noMovers ?? 'no_answer'),
      },
      top: dataOr(movers, null)?.top.map((row) => toTopKeyword(context, app.store, row)) ?? null,
      timeline,
      flags: report?.flags.map(({ code, severity, title, fix }) => ({ code, severity, title, fix })) ?? null,
      missing: {
        audit: whyFailed(audit),
        visibility: whyFailed(history),
        distribution: ranks.missing,
      },
    },
  };
}

/** @param missing what is shown while there is no report */
function toHealth(report: Audit['report'], missing: Figure): Omit<AppModel['health'], 'withoutField'> {
  const axis = (key: string) => {
    const found = report?.axes.find((one) => one.key === key);
    return found ? knownOr(found.score, 'not_read') : missing;
  };
  return {
    global: report === null ? missing : known(report.global),
    coverage: axis('coverage'),
    targeting: axis('targeting'),
    appeal: axis('appeal'),
    computedAt: report?.computed_at ?? null,
  };
}

export function toVisibility(history: readonly VisibilityDay[]): AppModel['visibility'] {
  return history.map(({ date, score, reason }) => ({
    day: date,
    score:
      score === null
        ? unknown(reason === 'basket_too_small' ? 'too_few_terms' : 'too_little_read')
        : known(score),
  }));
}

/** @param depthOf how many results the snapshot of a day has */
function toMover(row: MoverRow, depthOf: (keywordId: number, day: string) => number): Mover {
  const at = (day: string) => ({ depth: depthOf(row.keyword_id, day), day, age: 'fresh' as const });
  return {
    keywordId: String(row.keyword_id),
    keyword: row.keyword,
    status: row.status,
    before: rankFigure(row.rank_before, at(row.from_date)),
    now: rankFigure(row.rank_now, at(row.to_date)),
    change: changeOf(row),
    fromDay: row.from_date,
    toDay: row.to_date,
  };
}
