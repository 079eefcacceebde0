import type { GetScoreHistoryReply, GetScoreHistoryRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkId, checkWindow } from '@shelfwise/runtime/check-request';
import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import { carriedDays, scoreDays } from '../domain/visibility/score-days.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { VisibilityDayStore } from '../stores/visibility-day-store.ts';

type Deps = {
  baskets: Pick<BasketStore, 'list'>;
  listings: Pick<ListingStore, 'findSinceDay'>;
  visibilityDays: Pick<VisibilityDayStore, 'findFirstDay' | 'listBetween'>;
  now: () => Date;
};

/**
 * The visibility of a listing on each day of a window, from the first day of its history until today at the latest. A
 * listing that was never followed here has no days. Tracking has checked that the account tracks it.
 */
export async function getScoreHistory(
  deps: Deps,
  request: GetScoreHistoryRequest,
): Promise<GetScoreHistoryReply> {
  const { baskets, visibilityDays, now } = deps;
  const id = checkId('app_id', request.app_id);
  const { from, to } = checkWindow(request.from, request.to);
  const today = utcDay(now());
  const [readings, versions] = await Promise.all([
    visibilityDays.listBetween(id, daysBefore(from, carriedDays), to),
    baskets.list(id),
  ]);
  // Only followed listings have ranks. With some before the window, its first day is the first one shown.
  const isOlder = readings.some(({ day, hasRanks }) => hasRanks && day <= from);
  const firstDay = isOlder ? from : await findFirstDay(deps, id);
  const window = { from, to: to < today ? to : today };
  return { history: scoreDays(window, { firstDay, readings, baskets: versions }) };
}

async function findFirstDay({ listings, visibilityDays }: Deps, id: number): Promise<string | null> {
  const sinceDay = await listings.findSinceDay(id);
  return sinceDay === null ? null : visibilityDays.findFirstDay(id, sinceDay);
}
