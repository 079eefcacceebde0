import { AppError } from '@shelfwise/runtime/errors';

type HistoryWindow = { from: string; to: string };

const dayMs = 24 * 60 * 60 * 1000;
/** Counts both ends. */
export const maxWindowDays = 400;
const defaultDays = 30;

/**
 * The days of a history, as YYYY-MM-DD in UTC, both ends included. The default is from 30 days ago to today; for an end
 * before that, the 30 days before the end. Reversed dates are swapped and a future end becomes today. The start is moved
 * forward to the last 400 days, and a default start also to the plan's depth.
 * @throws PLAN_LIMIT when the requested dates start before the plan's depth
 */
export function resolveHistoryWindow(request: {
  from: string | undefined;
  to: string | undefined;
  now: Date;
  /** days of history before today that the plan includes; null means all */
  planDays: number | null;
}): HistoryWindow {
  const today = toDayNumber(request.now);
  const hasRequestedStart = request.from !== undefined;
  const to = request.to === undefined ? today : parseDayNumber(request.to);
  const from = request.from === undefined ? toDefaultStart(today, to) : parseDayNumber(request.from);
  const requested = { from: Math.min(from, to, today), to: Math.min(Math.max(from, to), today) };

  const oldest = request.planDays === null ? Number.NEGATIVE_INFINITY : today - request.planDays;
  if (requested.to < oldest || (hasRequestedStart && requested.from < oldest))
    throw beyondPlanError(request.planDays ?? 0);
  const start = Math.max(requested.from, oldest, requested.to - maxWindowDays + 1);
  return { from: formatDayNumber(start), to: formatDayNumber(requested.to) };
}

/** 30 days ago; for an end before that, 30 days before the end. */
function toDefaultStart(today: number, to: number): number {
  const usual = today - defaultDays;
  return to < usual ? to - defaultDays : usual;
}

/** Whole days since 1970. */
function toDayNumber(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs);
}

function parseDayNumber(date: string): number {
  return toDayNumber(new Date(`${date}T00:00:00Z`));
}

function formatDayNumber(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function beyondPlanError(planDays: number): AppError {
  return new AppError('PLAN_LIMIT', explainBeyondPlan(planDays));
}

/** The error message for days that the plan does not include. */
export function explainBeyondPlan(planDays: number): string {
  if (planDays === 0) return 'Your plan includes no history. Request only today.';
  const days = planDays === 1 ? '1 day' : `${planDays} days`;
  return `Your plan includes ${days} of history. Request a later start.`;
}
