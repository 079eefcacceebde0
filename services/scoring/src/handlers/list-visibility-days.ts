import { setImmediate } from 'node:timers/promises';
import type {
  ListingVisibilityDays,
  ListVisibilityDaysReply,
  ListVisibilityDaysRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkId, checkWindow } from '@shelfwise/runtime/check-request';
import { daysBefore, daysInWindow, utcDay } from '@shelfwise/runtime/day';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { carriedDays, scoreDays } from '../domain/visibility/score-days.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { VisibilityDayStore } from '../stores/visibility-day-store.ts';

const maxApps = 50;
const maxDays = 31;

type Deps = {
  baskets: Pick<BasketStore, 'listOfAll'>;
  visibilityDays: Pick<VisibilityDayStore, 'listBetweenOfAll'>;
  now: () => Date;
};

/**
 * The visibility of listings on the days of a window that have one, as `getScoreHistory` answers it. Tracking has checked that the
 * account tracks them.
 *
 * Cost: two queries, whatever the number of listings; of each listing a row of some 2 KB for each day, and its baskets, of at most
 * 5 KB each.
 * @throws INVALID_PARAMS
 */
export async function listVisibilityDays(
  deps: Deps,
  request: ListVisibilityDaysRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<ListVisibilityDaysReply> {
  const ids = checkIds(request.app_ids);
  const { from, to } = checkDays(request);
  if (ids.length === 0) return { listings: [] };
  const [readings, baskets] = await Promise.all([
    deps.visibilityDays.listBetweenOfAll(ids, daysBefore(from, carriedDays), to),
    deps.baskets.listOfAll(ids),
  ]);
  const today = utcDay(deps.now());
  const window = { from, to: to < today ? to : today };
  const listings: ListingVisibilityDays[] = [];
  for (const id of ids) {
    signal.throwIfAborted();
    const history = { firstDay: from, readings: readings.get(id) ?? [], baskets: baskets.get(id) ?? [] };
    const scored = scoreDays(window, history);
    const days = scored.flatMap(({ date, score }) => (score === null ? [] : [{ date, score }]));
    listings.push({ app_id: id, days, reason: scored.at(-1)?.reason ?? null });
    // The days of a full basket take a few milliseconds: others have the thread after each listing.
    await setImmediate();
  }
  return { listings };
}

function checkIds(appIds: readonly number[]): readonly number[] {
  if (appIds.length > maxApps) throw invalidParams({ app_ids: `must name at most ${maxApps} applications` });
  const ids = new Set(appIds.map((id) => checkId('app_ids', id)));
  if (ids.size < appIds.length) throw invalidParams({ app_ids: 'must name each application once' });
  return [...ids];
}

function checkDays(request: ListVisibilityDaysRequest): { from: string; to: string } {
  const window = checkWindow(request.from, request.to);
  if (daysInWindow(window.from, window.to) > maxDays)
    throw invalidParams({ from: `must be at most ${maxDays - 1} days before to` });
  return window;
}
