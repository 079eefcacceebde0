import type { UntrackCompetitorReply, UntrackCompetitorRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkId } from '@shelfwise/runtime/check-request';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import { competitorNotTracked } from '../tracking-errors.ts';

type Deps = { competitors: CompetitorStore; now: () => Date };

/** Removes a competitor of an application. Nothing is deleted; a second call changes nothing. */
export async function untrackCompetitor(
  { competitors, now }: Deps,
  request: UntrackCompetitorRequest,
): Promise<UntrackCompetitorReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  const outcome = await competitors.untrack(accountId, id, now());
  if (outcome === 'unknown') throw competitorNotTracked();
  return { id, removed: outcome === 'removed' };
}
