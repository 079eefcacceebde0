import type { FindNicheReply, FindNicheRequest, NicheProgress } from '@shelfwise/proto/niche/v1/niche';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import { checkNiche } from '../check-niche.ts';
import type { AnalysisQueue } from '../domain/analysis-queue.ts';
import { toAnalysis } from '../save-to-history.ts';
import type { AnalysisQueueStore } from '../stores/analysis-queue-store.ts';
import { type AnalysisStore, nicheKey } from '../stores/analysis-store.ts';
import type { HistoryStore } from '../stores/history-store.ts';
import type { Progress, ProgressStore } from '../stores/progress-store.ts';

type Deps = {
  analyses: Pick<AnalysisStore, 'findNewest'>;
  history: Pick<HistoryStore, 'hasReceived'>;
  queues: Pick<AnalysisQueueStore, 'find'>;
  progress: Pick<ProgressStore, 'find'>;
};

/**
 * What is kept of a topic, for an account that has received it, and how far an analysis is that the account waits for. What only
 * other accounts have asked for is not shown: it would tell what they look for.
 */
export async function findNiche(
  { analyses, history, queues, progress }: Deps,
  request: FindNicheRequest,
): Promise<FindNicheReply> {
  const accountId = checkAccountId(request.account_id);
  const niche = checkNiche(request);
  const [queue, stored, found] = await Promise.all([
    queues.find(niche.storefront.store),
    analyses.findNewest(niche),
    progress.find(niche),
  ]);
  const hasReceived = stored !== null && (await history.hasReceived(accountId, stored.analysis_id));
  return {
    analysis: hasReceived ? toAnalysis(stored) : null,
    progress: progressOf(queue, { key: nicheKey(niche), accountId }, found),
  };
}

function progressOf(
  { entries }: Pick<AnalysisQueue, 'entries'>,
  { key, accountId }: { key: string; accountId: string },
  found: Progress | null,
): NicheProgress | null {
  const at = entries.findIndex((entry) => entry.key === key && entry.callers.includes(accountId));
  const entry = entries[at];
  if (!entry) return null;
  const isRunning = entry.runs_for !== null;
  const known = isRunning ? found : null;
  return {
    is_running: isRunning,
    ahead: isRunning ? 0 : entries.slice(0, at).filter(({ runs_for: runsFor }) => runsFor === null).length,
    phase: known?.phase ?? null,
    candidates: known?.candidates ?? null,
    read: known?.read ?? null,
  };
}
