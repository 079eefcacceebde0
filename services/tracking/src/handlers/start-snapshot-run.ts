import type { StartSnapshotRunReply, StartSnapshotRunRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkDay } from '@shelfwise/runtime/check-request';
import { daysInWindow, utcDay } from '@shelfwise/runtime/day';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { Worker } from '@shelfwise/runtime/jobs/worker';
import type { Logger } from '@shelfwise/runtime/logger';
import { createDayRun } from '../daily-run/day-run.ts';
import { createDueRun } from '../daily-run/due-run.ts';
import type { SnapshotRuns } from '../daily-run/snapshot-runs.ts';
import type { TakeSnapshot } from '../daily-run/take-snapshot.ts';
import type { DueKeywordMarketStore } from '../stores/due-keyword-market-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';

/** As many days as a rank history shows at most. */
const maxDaysBack = 400;

type Deps = {
  snapshotRuns: SnapshotRuns;
  /** Whether this copy of the service takes part in the daily run. */
  isInDailyRun: boolean;
  /** The workers that read result pages. */
  snapshotWorkers: readonly Worker[];
  dueKeywordMarkets: DueKeywordMarketStore;
  snapshots: SnapshotStore;
  takeSnapshot: TakeSnapshot;
  logger: Logger;
  now: () => Date;
};

/**
 * For operators: starts a run over the due keywords or, with `day`, over one day of the sample. While a run is in
 * progress, returns that one.
 * @throws SERVICE_UNAVAILABLE, INVALID_PARAMS; with `day`, any error of the first reading
 */
export async function startSnapshotRun(
  deps: Deps,
  request: StartSnapshotRunRequest,
  call: CallContext,
): Promise<StartSnapshotRunReply> {
  const { dueKeywordMarkets, snapshots, takeSnapshot, logger, now } = deps;
  const { day, all_of_today: isAllOfToday } = request;
  const startRun =
    day == null
      ? createDueRun({ workers: findWorkers(deps), dueKeywordMarkets, isAllOfToday })
      : createDayRun({
          day: checkDayOfRun(day, isAllOfToday, now()),
          dueKeywordMarkets,
          snapshots,
          takeSnapshot,
          requestId: call.requestId,
          logger,
        });
  return { run: await deps.snapshotRuns.start(startRun) };
}

/** @throws SERVICE_UNAVAILABLE when the workers of this copy do not run */
function findWorkers({ isInDailyRun, snapshotWorkers }: Deps): readonly Worker[] {
  if (!isInDailyRun)
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'This copy of the service does not take part in the daily run (DAILY_RUN=false). Call another copy, or start this one with DAILY_RUN=true.',
    );
  return snapshotWorkers;
}

function checkDayOfRun(day: string, isAllOfToday: boolean, now: Date): string {
  if (isAllOfToday) throw invalidParams({ day: 'cannot be combined with all_of_today' });
  const daysBack = daysInWindow(checkDay('day', day), utcDay(now)) - 1;
  if (daysBack < 0) throw invalidParams({ day: 'must not be after today' });
  if (daysBack > maxDaysBack) throw invalidParams({ day: `must be at most ${maxDaysBack} days ago` });
  return day;
}
