import { dayMs, daysBefore, utcDay } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { nounFor } from '@shelfwise/runtime/noun-for';
import type { Plan } from '../../plans/plans.ts';
import * as shapes from '../shapes/shapes.ts';
import { dateParameter } from './fields.ts';

type HistoryWindow = { from: string; to: string };

/** The plan says how many days of history before today it includes; null: all. */
type PlanWithHistory = { limits: Pick<Plan['limits'], 'historical_data_days'> };
type PlanAtTime = { plan: PlanWithHistory; now: Date };

/** Includes the first and the last day. */
export const maxWindowDays = 400;
const defaultDays = 30;

/** The query parameters of a history; `resolveHistoryWindow` says which days they mean. */
export const historyQuery = historyQueryOf(maxWindowDays);

/** The same for a history whose windows have at most `maxDays` days. */
export function historyQueryOf(maxDays: number) {
  return {
    from: dateParameter
      .meta({
        description: `First day; the default is ${defaultDays} days ago. A window of more than ${maxDays} days begins later, and meta.from says when.`,
      })
      .optional(),
    to: dateParameter
      .meta({
        description:
          'Last day; the default is today. A day before from swaps the two, and a day after today becomes today.',
      })
      .optional(),
  };
}

/** The window of a history in its answer. */
export const historyMeta = {
  from: shapes.date.meta({ description: 'First day of the window.' }),
  to: shapes.date.meta({ description: 'Last day of the window.' }),
};

/**
 * The days of a history, as YYYY-MM-DD in UTC, both ends included. `to` defaults to today, `from` to 30 days ago, or to
 * 30 days before an earlier `to`. Reversed dates are swapped, and days after today become today. Of a longer window
 * only the last `maxDays` remain. A default start moves forward to the plan's depth.
 * @throws PLAN_LIMIT when the requested dates start before the plan's depth
 */
export function resolveHistoryWindow(
  query: { from?: string | undefined; to?: string | undefined },
  { plan, now, maxDays = maxWindowDays }: PlanAtTime & { maxDays?: number },
): HistoryWindow {
  const planDays = plan.limits.historical_data_days;
  const today = toDayNumber(now);
  const hasRequestedStart = query.from !== undefined;
  const to = query.to === undefined ? today : parseDayNumber(query.to);
  const from = query.from === undefined ? toDefaultStart(today, to) : parseDayNumber(query.from);
  const requested = { from: Math.min(from, to, today), to: Math.min(Math.max(from, to), today) };

  const oldest = planDays === null ? Number.NEGATIVE_INFINITY : today - planDays;
  if (requested.to < oldest || (hasRequestedStart && requested.from < oldest))
    // Never null here: without a plan depth no day is too old.
    throw new AppError('PLAN_LIMIT', explainBeyondPlan(planDays ?? 0));
  const start = Math.max(requested.from, oldest, requested.to - maxDays + 1);
  return { from: formatDayNumber(start), to: formatDayNumber(requested.to) };
}

/** The first day of the plan's history, at most 400 days ago. */
export function toOldestDay({ plan, now }: PlanAtTime): string {
  const planDays = plan.limits.historical_data_days ?? maxWindowDays;
  return daysBefore(utcDay(now), Math.min(planDays, maxWindowDays));
}

/** As day numbers: 30 days before the end or today, whichever is earlier. */
function toDefaultStart(today: number, to: number): number {
  const usualStart = today - defaultDays;
  return to < usualStart ? to - defaultDays : usualStart;
}

/** Whole UTC days since 1970-01-01. */
function toDayNumber(time: Date): number {
  return Math.floor(time.getTime() / dayMs);
}

function parseDayNumber(date: string): number {
  return toDayNumber(new Date(`${date}T00:00:00Z`));
}

function formatDayNumber(day: number): string {
  return utcDay(new Date(day * dayMs));
}

export function explainBeyondPlan(planDays: number): string {
  if (planDays === 0) return 'Your plan includes no history. Request only today.';
  return `Your plan includes ${planDays} ${nounFor(planDays, 'day')} of history. Request a later start.`;
}

/** @throws PLAN_LIMIT when the plan has fewer days of history to compare with */
export function checkComparedDays(days: number, { limits }: PlanWithHistory): void {
  const planDays = limits.historical_data_days;
  if (planDays !== null && days > planDays) throw new AppError('PLAN_LIMIT', explainDaysBeyondPlan(planDays));
}

export function explainDaysBeyondPlan(planDays: number): string {
  if (planDays === 0) return 'Your plan includes no history, so there is nothing to compare with.';
  return `Your plan includes ${planDays} ${nounFor(planDays, 'day')} of history. Request fewer days.`;
}
