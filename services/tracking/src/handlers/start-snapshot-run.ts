import type { StartSnapshotRunReply, StartSnapshotRunRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkDay } from '@shelfwise/runtime/check-request';
import { daysInWindow, utcDay } from '@shelfwise/runtime/day';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { createDayRun } from '../daily-run/day-run.ts';
import { createDueRun } from '../daily-run/due-run.ts';
import type { TrackingParts } from '../tracking-parts.ts';

const maxDaysBack = 400;

/** For operators: reads what is due, or a whole day of the sample. One run at a time; another one is not begun. */
export async function startSnapshotRun(
  parts: TrackingParts,
  request: StartSnapshotRunRequest,
  call: CallContext,
): Promise<StartSnapshotRunReply> {
  const { day, all_of_today: isAllOfToday } = request;
  const run =
    day == null
      ? createDueRun({ ...parts, workers: runningWorkers(parts), isAllOfToday })
      : createDayRun({
          ...parts,
          day: checkDayOfRun(day, isAllOfToday, parts.now()),
          requestId: call.requestId,
        });
  return { run: await parts.snapshotRuns.start(run) };
}

/** @throws SERVICE_UNAVAILABLE where nobody would read what is due */
function runningWorkers({ dailyRun, snapshotWorkers }: TrackingParts) {
  if (!dailyRun.isOn())
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'This copy of the service takes no part in the daily run (DAILY_RUN=false). Ask another one.',
    );
  return snapshotWorkers;
}

function checkDayOfRun(day: string, isAllOfToday: boolean, now: Date): string {
  if (isAllOfToday) throw invalidParams({ day: 'cannot be given together with all_of_today' });
  const daysBack = daysInWindow(checkDay('day', day), utcDay(now)) - 1;
  if (daysBack < 0) throw invalidParams({ day: 'must not be after today' });
  if (daysBack > maxDaysBack) throw invalidParams({ day: `must be at most ${maxDaysBack} days ago` });
  return day;
}
