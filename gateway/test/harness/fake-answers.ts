import {
  type AnalyzeNicheReply,
  type AnalyzeNicheRequest,
  NicheOrigin,
} from '@shelfwise/proto/niche/v1/niche';
import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { BootedGateway } from './boot-gateway.ts';
import {
  asoReport,
  autocompleteReply,
  chartCategoriesReply,
  inspectReply,
  nicheAnalysis,
  simulateReply,
  simulationReply,
  topChartReply,
  trackedListing,
} from './sample-replies.ts';

type Services = BootedGateway['services'];

/**
 * Gives the fake services a valid answer to every RPC that the endpoints with `cost: 1` call. The account tracks no
 * keywords, and no niche is cached.
 */
export function answerEverything({ tracking, scoring, storeFetch, niche, chart }: Services): void {
  tracking.answer({
    getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }),
    getTrackedListing: async () => ({ listing: trackedListing }),
    listKeywordTracking: async () => ({ rows: [] }),
  });
  scoring.answer({
    getAsoHealth: async () => ({ report: asoReport, timeline: [] }),
    checkMetadata: async () => ({ valid: true, fields: [], notes: [], keywords: null }),
    simulateListing: async () => simulateReply,
    listSimulations: async () => ({ runs: [], total: 0 }),
    getSimulation: async () => simulationReply,
    inspectKeyword: async () => inspectReply,
  });
  storeFetch.answer({ runAutocomplete: async () => autocompleteReply });
  niche.answer({
    analyzeNiche: beginNiche(async () => ({
      analysis: nicheAnalysis,
      origin: NicheOrigin.FRESH,
      is_saved: true,
    })),
  });
  chart.answer({
    getTopChart: async () => topChartReply,
    listChartCategories: async () => chartCategoriesReply,
  });
}

/**
 * Answers the main RPC of every endpoint with `cost: 1` with `work`. The lookups before it (the listing, the tracked
 * keywords, a cached niche) keep their answers.
 */
export function answerWorkWith(
  services: Services,
  work: (request: unknown, call: CallContext) => Promise<never>,
): void {
  const { scoring, storeFetch, niche, chart } = services;
  scoring.answer({
    getAsoHealth: work,
    checkMetadata: work,
    simulateListing: work,
    listSimulations: work,
    getSimulation: work,
    inspectKeyword: work,
  });
  storeFetch.answer({ runAutocomplete: work });
  niche.answer({ analyzeNiche: beginNiche(work) });
  chart.answer({ getTopChart: work, listChartCategories: work });
}

/** Answers AnalyzeNiche when nothing is cached or under way: `work` runs only for a call that may begin an analysis. */
export function beginNiche(
  work: (request: AnalyzeNicheRequest, call: CallContext) => Promise<AnalyzeNicheReply>,
): typeof work {
  return async (request, call) =>
    request.may_begin
      ? work(request, call)
      : { analysis: null, origin: NicheOrigin.NOT_BEGUN, is_saved: false };
}

/** Makes the main RPC of every endpoint with `cost: 1` fail with this code. */
export function failWith(services: Services, code: ErrorCode): void {
  answerWorkWith(services, async () => {
    throw new AppError(code, 'This is why.');
  });
}
