import type { PageData } from '@shelfwise/dashboard/page-data';
import { firstFields, gapLimits } from '@shelfwise/dashboard/pages/rivals/fields';
import type { Rival } from '@shelfwise/dashboard/pages/rivals/model';
import type { z } from 'zod';
import { listApplications } from '../../routes/list-applications.ts';
import { listKeywordGap } from '../../routes/list-keyword-gap.ts';
import { listRankMatrix, maxCompetitors } from '../../routes/list-rank-matrix.ts';
import { maxListRows } from '../../routes/shapes/shapes.ts';
import { toGap } from './keyword-gap.ts';
import { nameCompetitors } from './name-competitors.ts';
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
import { toMatrix } from './rivals-matrix.ts';
import { toVoice } from './share-of-voice.ts';
import { getVoiceAndRace } from './voice-and-race.ts';

type Competitors = z.output<typeof nameCompetitors.data>;

const periods = ['1', '7', '30'] as const;
/** The most valuable terms of the gap. */
const shownGap = 200;

/**
 * Seven calls: the apps, the competitors, the shares of voice with the visibilities, the two of the timeline, and, where there are
 * competitors, the ranks of both and the terms for which only they rank.
 */
export async function buildRivals(
  context: PageContext,
  appId: string,
  query: Record<string, unknown>,
): Promise<PageData> {
  const [applications, competitors] = await Promise.all([
    context.call(listApplications),
    context.call(nameCompetitors, { query: { app_id: appId } }),
  ]);
  const apps = dataOf(applications);
  const app = apps.find(({ id }) => String(id) === appId);
  if (!app) throw appNotFound();
  const rivals = dataOr(competitors, null);
  const days = periods.find((one) => one === query.days) ?? '7';
  const compared = toCompared(query.rivals, rivals);
  const competitorIds: Record<string, string> = compared === null ? {} : { competitor_ids: compared };
  const ofMatrix = { days, page: wholeOf(query, 'page', [1, 10_000]), per_page: String(maxListRows) };
  const ofGap = { ...toGapLimits(query), per_page: String(shownGap) };
  const params = { id: appId };
  const hasRivals = compared !== '';
  const [matrix, gap, voice, { notes, changes }] = await Promise.all([
    hasRivals ? context.call(listRankMatrix, { params, query: { ...ofMatrix, ...competitorIds } }) : null,
    hasRivals ? context.call(listKeywordGap, { params, query: { ...ofGap, ...competitorIds } }) : null,
    context.call(getVoiceAndRace, { params }),
    readTimeline(context, appId, { withRivals: false }),
  ]);
  const shownRivals = rivals && toRivals(rivals, compared);
  return {
    page: 'rivals',
    frame: toFrame(context, apps, { appId, ranks: (matrix && dataOr(matrix, null)?.rows) ?? [] }),
    model: {
      app: toAppHead(app),
      rivals: shownRivals,
      days,
      matrix: matrix && toMatrix(context, app, matrix),
      gap: gap && !('failure' in gap) ? toGap(context, app, gap) : null,
      voice:
        'failure' in voice
          ? null
          : toVoice(
              voice.data,
              (id) => shownRivals?.some((one) => one.appId === id && one.isCompared) ?? true,
            ),
      timeline: { notes, changes },
      missing: {
        rivals: whyFailed(competitors),
        matrix: matrix && whyFailed(matrix),
        gap: gap && whyFailed(gap),
        voice: whyFailed(voice),
      },
    },
  };
}

/** A whole number in the address; its first value when it is none, or not within the limits. */
function wholeOf(
  query: Record<string, unknown>,
  name: keyof typeof firstFields,
  [least, most]: readonly [number, number],
): string {
  const number = /^\d{1,5}$/.test(String(query[name])) ? Number(query[name]) : Number.NaN;
  return number >= least && number <= most ? String(number) : firstFields[name];
}

function toGapLimits(query: Record<string, unknown>): Record<keyof typeof gapLimits, string> {
  return {
    rival_max_rank: wholeOf(query, 'rival_max_rank', gapLimits.rival_max_rank),
    own_min_rank: wholeOf(query, 'own_min_rank', gapLimits.own_min_rank),
    min_traffic: wholeOf(query, 'min_traffic', gapLimits.min_traffic),
  };
}

/**
 * The ids of those that are compared: those in the address that still are competitors, else those added last. Empty: the app has
 * none. Null: they are not known, and the matrix takes those added last.
 */
function toCompared(wanted: unknown, rivals: Competitors | null): string | null {
  if (rivals === null) return null;
  const ids = rivals.map(({ competitor_id: id }) => String(id));
  const chosen = typeof wanted === 'string' ? wanted.split(',').filter((id) => ids.includes(id)) : [];
  return (chosen.length > 0 ? chosen : ids).slice(0, maxCompetitors).join();
}

function toRivals(rivals: Competitors, compared: string | null): Rival[] {
  const ids = compared?.split(',') ?? [];
  return rivals.map(({ competitor_id: id, app_id, title }) => ({
    id: String(id),
    appId: app_id,
    title,
    isCompared: ids.includes(String(id)),
  }));
}
