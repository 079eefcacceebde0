import type { GetScoreHistoryReply, GetScoreHistoryRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkId, checkWindow } from '@shelfwise/runtime/check-request';
import { utcDay } from '@shelfwise/runtime/day';
import type { AuditingParts } from '../auditing/auditing-parts.ts';
import { scoreDays } from '../domain/visibility/score-days.ts';

/**
 * The visibility of a listing on each day of a window, from the first day of which anything was read until today at the
 * latest. One that is not known here has no days: that the account tracks it was settled by tracking.
 */
export async function getScoreHistory(
  { baskets, visibilityDays, now }: Pick<AuditingParts, 'baskets' | 'visibilityDays'> & { now: () => Date },
  request: GetScoreHistoryRequest,
): Promise<GetScoreHistoryReply> {
  const id = checkId('app_id', request.app_id);
  const { from, to } = checkWindow(request.from, request.to);
  const today = utcDay(now());
  const [firstDay, readings, versions] = await Promise.all([
    visibilityDays.findFirstDay(id),
    visibilityDays.listBetween(id, from, to),
    baskets.list(id),
  ]);
  const window = { from, to: to < today ? to : today };
  return { history: scoreDays(window, { firstDay, readings, baskets: versions }) };
}
