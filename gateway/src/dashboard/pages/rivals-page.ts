import type { PageData } from '@shelfwise/dashboard/page-data';
import type { Rival } from '@shelfwise/dashboard/pages/rivals/model';
import type { z } from 'zod';
import { getShareOfVoice } from '../../routes/get-share-of-voice.ts';
import { listApplications } from '../../routes/list-applications.ts';
import { listRankMatrix, maxCompetitors } from '../../routes/list-rank-matrix.ts';
import { maxListRows } from '../../routes/shapes/shapes.ts';
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
import { toMatrix } from './rivals-matrix.ts';
import { toVoice } from './share-of-voice.ts';

type Competitors = z.output<typeof nameCompetitors.data>;

const periods = ['1', '7', '30'] as const;

/** Four calls: the apps, the competitors, the shares of voice, and, where there are competitors, the ranks of both. */
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
  const asked: Record<string, string> = {
    days,
    page: /^[1-9]\d{0,4}$/.test(String(query.page)) ? String(query.page) : '1',
    per_page: String(maxListRows),
  };
  if (compared !== null) asked.competitor_ids = compared;
  const params = { id: appId };
  const [matrix, voice] = await Promise.all([
    compared === '' ? null : context.call(listRankMatrix, { params, query: asked }),
    context.call(getShareOfVoice, { params }),
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
      gap: null,
      voice:
        'failure' in voice
          ? null
          : toVoice(
              voice.data,
              (id) => shownRivals?.some((one) => one.appId === id && one.isCompared) ?? true,
            ),
      missing: {
        rivals: whyFailed(competitors),
        matrix: matrix && whyFailed(matrix),
        gap: null,
        voice: whyFailed(voice),
      },
    },
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
