import { AppError } from '@shelfwise/runtime/errors';

type HistoryWindow = { from: string; to: string };

const dayMs = 24 * 60 * 60 * 1000;
/** Both ends included. */
export const maxWindowDays = 400;
const defaultDays = 30;

/**
 * The days of a history, as YYYY-MM-DD in UTC, both ends included. By default from 30 days ago to today; an end before
 * that has the 30 days before it. Reversed dates are swapped, a future end is today, the start is moved to keep 400
 * days, and to the plan's depth when nobody asked for it.
 * @throws PLAN_LIMIT when the dates asked for begin before the plan's depth
 */
export function historyWindow(asked: {
  from: string | undefined;
  to: string | undefined;
  now: Date;
  /** days before today that the plan allows; null means all */
  planDays: number | null;
}): HistoryWindow {
  const today = dayOf(asked.now);
  const isStartAsked = asked.from !== undefined;
  const to = asked.to === undefined ? today : parseDay(asked.to);
  const from = asked.from === undefined ? defaultStart(today, to) : parseDay(asked.from);
  const wanted = { from: Math.min(from, to, today), to: Math.min(Math.max(from, to), today) };

  const oldest = asked.planDays === null ? Number.NEGATIVE_INFINITY : today - asked.planDays;
  if (wanted.to < oldest || (isStartAsked && wanted.from < oldest)) throw beyondPlan(asked.planDays ?? 0);
  const start = Math.max(wanted.from, oldest, wanted.to - maxWindowDays + 1);
  return { from: formatDay(start), to: formatDay(wanted.to) };
}

/** 30 days ago; an end before that has its own 30 days. */
function defaultStart(today: number, to: number): number {
  const usual = today - defaultDays;
  return to < usual ? to - defaultDays : usual;
}

/** Whole days since 1970. */
function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / dayMs);
}

function parseDay(date: string): number {
  return dayOf(new Date(`${date}T00:00:00Z`));
}

function formatDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function beyondPlan(planDays: number): AppError {
  return new AppError('PLAN_LIMIT', sayBeyondPlan(planDays));
}

/** What a client is told who asks for days that the plan does not keep. */
export function sayBeyondPlan(planDays: number): string {
  if (planDays === 0) return 'Your plan keeps no history: ask for today alone.';
  const days = planDays === 1 ? '1 day' : `${planDays} days`;
  return `Your plan keeps ${days} of history. Ask for a later start.`;
}
