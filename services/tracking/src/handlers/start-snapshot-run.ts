import type { StartSnapshotRunReply, StartSnapshotRunRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkDay } from '@shelfwise/runtime/check-request';
import { daysInWindow, utcDay } from '@shelfwise/runtime/day';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { DayRun } from '../daily-run/day-run.ts';
import type { DueRun } from '../daily-run/due-run.ts';
import type { SnapshotRuns } from '../daily-run/snapshot-runs.ts';

/** As many days as a rank history shows at most. */
const maxDaysBack = 400;

type Deps = {
  snapshotRuns: Pick<SnapshotRuns, 'start'>;
  dailyRun: { isOn(): boolean };
  dueRun: Pick<DueRun, 'begin'>;
  dayRun: Pick<DayRun, 'begin'>;
  now: () => Date;
};

/**
 * For operators: starts a run over the due keywords or, with `day`, over one day of the sample. While a run is in
 * progress in any copy of the service, returns that one.
 * @throws SERVICE_UNAVAILABLE, INVALID_PARAMS; with `day`, any error of the first reading
 */
export async function startSnapshotRun(
  { snapshotRuns, dailyRun, dueRun, dayRun, now }: Deps,
  request: StartSnapshotRunRequest,
  { requestId }: CallContext,
): Promise<StartSnapshotRunReply> {
  const { day, all_of_today: isAllOfToday } = request;
  if (day != null) {
    const checked = checkDayOfRun(day, isAllOfToday, now());
    return { run: await snapshotRuns.start(dayRun.begin(checked, requestId)) };
  }
  if (!dailyRun.isOn()) throw notInDailyRun();
  return { run: await snapshotRuns.start(dueRun.begin(isAllOfToday, requestId)) };
}

function notInDailyRun(): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'This copy of the service does not take part in the daily run (DAILY_RUN=false). Call another copy, or start this one with DAILY_RUN=true.',
  );
}

function checkDayOfRun(day: string, isAllOfToday: boolean, now: Date): string {
  if (isAllOfToday) throw invalidParams({ day: 'cannot be combined with all_of_today' });
  const daysBack = daysInWindow(checkDay('day', day), utcDay(now)) - 1;
  if (daysBack < 0) throw invalidParams({ day: 'must not be after today' });
  if (daysBack > maxDaysBack) throw invalidParams({ day: `must be at most ${maxDaysBack} days ago` });
  return day;
}
