import type { NicheAnalysis } from '@shelfwise/proto/niche/v1/niche';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import type { StoredAnalysis } from './stores/analysis-store.ts';
import type { NicheRowStore } from './stores/niche-row-store.ts';

type Given = { analysis: NicheAnalysis; is_saved: boolean };

/** Gives an analysis to an account, which has it in its history from then on; it stands also where that fails. */
export async function giveAnalysis(
  { nicheRows, now }: { nicheRows: Pick<NicheRowStore, 'save'>; now: () => Date },
  accountId: string,
  kept: StoredAnalysis,
  { log }: Pick<CallContext, 'log'>,
): Promise<Given> {
  const { topic, store, country, lang, clusters } = kept;
  const row = {
    account_id: accountId,
    analysis_id: kept.analysis_id,
    topic,
    store,
    country,
    lang,
    clusters_count: clusters.length,
    keywords_count: kept.total_keywords,
    top_opportunity_score: clusters[0]?.opportunity_score ?? null,
  };
  const analysis = toAnalysis(kept);
  try {
    await nicheRows.save(row, now());
    return { analysis, is_saved: true };
  } catch (error) {
    log.error({ err: error }, 'a niche analysis is not in the history of its account: saving failed');
    return { analysis, is_saved: false };
  }
}

function toAnalysis(kept: StoredAnalysis): NicheAnalysis {
  const {
    _id,
    analysis_id: analysisId,
    store,
    country,
    lang,
    refused,
    kept_until: keptUntil,
    ...rest
  } = kept;
  return { ...rest, storefront: { store, country, lang } };
}
