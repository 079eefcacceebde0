import type { GetSnapshotRunReply } from '@shelfwise/proto/tracking/v1/tracking';
import { AppError } from '@shelfwise/runtime/errors';
import type { TrackingParts } from '../tracking-parts.ts';

/** How the run that was started last gets on. */
export async function getSnapshotRun({ snapshotRuns }: TrackingParts): Promise<GetSnapshotRunReply> {
  const run = await snapshotRuns.look();
  if (!run) throw new AppError('NOT_FOUND', 'No run was started since this service was.');
  return { run };
}
