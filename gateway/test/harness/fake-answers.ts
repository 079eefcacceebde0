import {
  type AnalyzeNicheReply,
  type AnalyzeNicheRequest,
  NicheOrigin,
} from '@shelfwise/proto/niche/v1/niche';
import { AppError, type ErrorCode } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { BootedGateway } from './boot-gateway.ts';
import {
  autocompleteReply,
  inspectReply,
  nicheAnalysis,
  simulateReply,
  trackedListing,
} from './sample-replies.ts';

type Services = BootedGateway['services'];

/**
 * Gives the fake services a valid answer to every RPC that the endpoints with a monthly cap call. The account tracks no
 * keywords, and no niche is cached.
 */
export function answerEverything({ tracking, scoring, storeFetch, niche }: Services): void {
  tracking.answer({
    getTotals: async () => ({ apps: 1, keywords: 0, competitors: 0 }),
    getTrackedListing: async () => ({ listing: trackedListing }),
    listKeywordTracking: async () => ({ rows: [] }),
  });
  scoring.answer({ simulateListing: async () => simulateReply, inspectKeyword: async () => inspectReply });
  storeFetch.answer({ runAutocomplete: async () => autocompleteReply });
  niche.answer({
    analyzeNiche: beginNiche(async () => ({
      analysis: nicheAnalysis,
      origin: NicheOrigin.FRESH,
      is_saved: true,
    })),
  });
}

/**
 * Answers the main RPC of every endpoint with a monthly cap with `work`. The lookups before it (the listing, the tracked
 * keywords, a cached niche) keep their answers.
 */
export function answerWorkWith(
  services: Services,
  work: (request: unknown, call: CallContext) => Promise<never>,
): void {
  const { scoring, storeFetch, niche } = services;
  scoring.answer({ simulateListing: work, inspectKeyword: work });
  storeFetch.answer({ runAutocomplete: work });
  niche.answer({ analyzeNiche: beginNiche(work) });
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

/** Makes the main RPC of every endpoint with a monthly cap fail with this code. */
export function failWith(services: Services, code: ErrorCode): void {
  answerWorkWith(services, async () => {
    throw new AppError(code, 'This is why.');
  });
}
