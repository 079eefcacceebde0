import type { GetScoreHistoryReply, GetScoreHistoryRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkId, checkWindow } from '@shelfwise/runtime/check-request';
import { utcDay } from '@shelfwise/runtime/day';
import type { AuditingParts } from '../auditing/auditing-parts.ts';
import { scoreDays } from '../domain/visibility/score-days.ts';

/**
 * The visibility of a listing on each day of a window, from the first day of its history until today at the latest. One
 * that nobody has followed here yet has no days: that the account tracks it was settled by tracking.
 */
export async function getScoreHistory(
  parts: Pick<AuditingParts, 'baskets' | 'listings' | 'visibilityDays'> & { now: () => Date },
  request: GetScoreHistoryRequest,
): Promise<GetScoreHistoryReply> {
  const { baskets, visibilityDays, now } = parts;
  const id = checkId('app_id', request.app_id);
  const { from, to } = checkWindow(request.from, request.to);
  const today = utcDay(now());
  const [firstDay, readings, versions] = await Promise.all([
    findFirstDay(parts, id),
    visibilityDays.listBetween(id, from, to),
    baskets.list(id),
  ]);
  const window = { from, to: to < today ? to : today };
  return { history: scoreDays(window, { firstDay, readings, baskets: versions }) };
}

async function findFirstDay(
  { listings, visibilityDays }: Pick<AuditingParts, 'listings' | 'visibilityDays'>,
  id: number,
): Promise<string | null> {
  const sinceDay = await listings.findSinceDay(id);
  return sinceDay === null ? null : visibilityDays.findFirstDay(id, sinceDay);
}
