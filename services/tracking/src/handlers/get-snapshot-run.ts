import type { GetSnapshotRunReply } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';
import type { SnapshotRuns } from '../daily-run/snapshot-runs.ts';

type Deps = { snapshotRuns: Pick<SnapshotRuns, 'findLast'> };

/** Progress of the run that was started last. */
export async function getSnapshotRun({ snapshotRuns }: Deps): Promise<GetSnapshotRunReply> {
  const run = await snapshotRuns.findLast();
  if (!run) throw new AppError('NOT_FOUND', 'No run has been started.');
  return { run };
}
