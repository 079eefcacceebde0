import type { UntrackCompetitorReply, UntrackCompetitorRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { competitorUntracked } from '../domain/tracking-events.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import { competitorNotTracked } from '../tracking-errors.ts';

type Deps = { competitors: CompetitorStore; now: () => Date; wakeRelay: () => void };

/** Removes a competitor of an application. Nothing is deleted; a second call changes nothing. */
export async function untrackCompetitor(
  { competitors, now, wakeRelay }: Deps,
  request: UntrackCompetitorRequest,
  { requestId }: Pick<CallContext, 'requestId'>,
): Promise<UntrackCompetitorReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  const outcome = await competitors.untrack(accountId, id, now(), (row, at) =>
    competitorUntracked(row, { at, requestId }),
  );
  if (outcome === 'unknown') throw competitorNotTracked();
  if (outcome === 'removed') wakeRelay();
  return { id, removed: outcome === 'removed' };
}
