import type { NicheAnalysis } from '@shelfwise/proto/niche/v1/niche';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { StoredAnalysis } from './stores/analysis-store.ts';
import type { HistoryStore } from './stores/history-store.ts';

type Deps = { history: Pick<HistoryStore, 'save'>; now: () => Date };

/** Adds an analysis to the history of an account. Never fails: the analysis is valid without a history row. */
export async function saveToHistory(
  { history, now }: Deps,
  accountId: string,
  stored: StoredAnalysis,
  { log }: Pick<CallContext, 'log'>,
): Promise<{ analysis: NicheAnalysis; is_saved: boolean }> {
  const entry = {
    account_id: accountId,
    analysis_id: stored.analysis_id,
    topic: stored.topic,
    store: stored.store,
    country: stored.country,
    lang: stored.lang,
    clusters_count: stored.clusters.length,
    keywords_count: stored.total_keywords,
    top_opportunity_score: stored.clusters[0]?.opportunity_score ?? null,
    analyzed_at: stored.analyzed_at,
  };
  const analysis = toAnalysis(stored);
  try {
    await history.save(entry, now());
    return { analysis, is_saved: true };
  } catch (error) {
    log.error(
      { err: error },
      'niche analysis could not be added to the account history; the caller gets it with is_saved false',
    );
    return { analysis, is_saved: false };
  }
}

export function toAnalysis(stored: StoredAnalysis): NicheAnalysis {
  return {
    topic: stored.topic,
    storefront: { store: stored.store, country: stored.country, lang: stored.lang },
    total_keywords: stored.total_keywords,
    analyzed_at: stored.analyzed_at,
    clusters: stored.clusters,
    candidates: stored.candidates,
    left_out: stored.left_out,
    oldest_read_at: stored.oldest_read_at,
    source: stored.source,
    scoring_version: stored.scoring_version,
    unanswered: stored.unanswered,
    no_clusters_reason: stored.no_clusters_reason,
    is_topic_page_unread: stored.is_topic_page_unread,
  };
}
