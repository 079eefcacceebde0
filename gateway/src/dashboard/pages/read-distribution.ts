import { known, type Unknown } from '@shelfwise/dashboard/figure';
import type { AppModel } from '@shelfwise/dashboard/pages/app/model';
import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import type { z } from 'zod';
import { getRankDistribution } from '../../routes/get-rank-distribution.ts';
import { toOldestDay } from '../../routes/route/history-window.ts';
import type { CallForPage, SessionAnswer } from '../call-as-session.ts';
import { dataOr, type PageContext, whyFailed } from './page-context.ts';

type DistributionDay = Omit<z.output<typeof getRankDistribution.data>['history'][number], 'traffic_share'>;

/**
 * Where the keywords of an app rank, on the newest day that was read: today, or yesterday, because before the daily run
 * nothing of today is read. One call, or two until then. `missing`: why it could not be read, null: it was.
 */
export async function readDistribution(
  { call, plan, now }: Pick<PageContext, 'plan' | 'now'> & { call: CallForPage },
  appId: string,
): Promise<{ distribution: AppModel['distribution']; missing: Unknown | null }> {
  const readFrom = (from: string) => call(getRankDistribution, { params: { id: appId }, query: { from } });
  const today = utcDay(now);
  const yesterday = daysBefore(today, 1);
  let answer: SessionAnswer<{ history: DistributionDay[] }> = await readFrom(today);
  const isRead = 'failure' in answer || answer.data.history.some(hasReadings);
  // The plan may have no history.
  if (!isRead && toOldestDay({ plan, now }) <= yesterday) answer = await readFrom(yesterday);
  return { distribution: toDistribution(dataOr(answer, null)?.history ?? []), missing: whyFailed(answer) };
}

function hasReadings({ tracked, unread }: Pick<DistributionDay, 'tracked' | 'unread'>): boolean {
  return unread < tracked;
}

export function toDistribution(days: readonly DistributionDay[]): AppModel['distribution'] {
  const day = days.findLast(hasReadings) ?? days.at(-1);
  if (!day) return null;
  return {
    day: day.date,
    parts: [
      { label: '1', count: known(day.rank_1) },
      { label: '2–3', count: known(day.rank_2_3) },
      { label: '4–10', count: known(day.rank_4_10) },
      { label: '11–30', count: known(day.rank_11_30) },
      { label: '31–100', count: known(day.rank_31_100) },
      { label: 'not_ranked', count: known(day.not_ranked) },
      { label: 'unread', count: known(day.unread) },
    ],
  };
}
