import { checkKeyword } from '@shelfwise/facts/checks/check-keyword';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { InspectKeywordReply, InspectKeywordRequest } from '@shelfwise/proto/scoring/v1/scoring';
import type { StoreFetchServiceService } from '@shelfwise/proto/store/v1/store';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import { shortenDeadline } from '@shelfwise/runtime/concurrency/deadline';
import type { CallContext, GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { keiOfScore } from '../domain/keyword/kei.ts';
import { isSearchedOrUnknown } from '../domain/keyword/search-status.ts';
import type { InspectionQuery, InspectionScores, InspectionStore } from '../stores/inspection-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { Measurer } from '../terms/measurer.ts';
import { chooseRelatedTerms, readCompletions, toRelatedTermMessage } from '../terms/related-terms.ts';

/** The longest time for reading the store. It ends earlier if less than `saveMs` would be left to save and reply. */
const readMs = 33_000;
const saveMs = 2000;
const maxRanking = 20;

export type InspectKeywordDeps = {
  measurer: Measurer;
  storeFetch: Pick<GrpcClient<typeof StoreFetchServiceService>, 'suggestTerms'>;
  terms: Pick<TermStore, 'findScores'>;
  inspections: Pick<InspectionStore, 'save'>;
  now: () => Date;
};

/**
 * A keyword's scores, the first 20 apps of its result page as they are today, and related keywords. The inspection is
 * saved in the account's history. A score is null while one of its inputs cannot be read.
 * @param isUserWaiting false: the store is read when no other caller waits for it
 * @throws INVALID_PARAMS
 * @throws STORE_FETCH_FAILED when today's page cannot be read
 */
export async function inspectKeyword(
  deps: InspectKeywordDeps,
  request: InspectKeywordRequest,
  call: CallContext,
  isUserWaiting = true,
): Promise<InspectKeywordReply> {
  const accountId = checkAccountId(request.account_id);
  const storefront = checkStorefront(request.storefront);
  const keyword = checkKeyword(request.keyword, storefront.lang);

  const limited = shortenDeadline(call, { maxMs: readMs, reserveMs: saveMs });
  const [{ term }, suggestions] = await Promise.all([
    deps.measurer.measure(storefront, keyword, { page: 'today', isUserWaiting }, limited),
    readCompletions(deps, storefront, keyword, { ...limited, isUserWaiting }),
  ]);
  const { page } = term.reading;
  if (page === null) throw new Error('a page of today was needed, and none was read');
  const { apps } = page;
  const titles = apps.map(({ title }) => title).filter((title) => title !== null);
  const related = await chooseRelatedTerms(deps, storefront, { keyword, suggestions, titles });
  const scores = {
    difficulty_score: term.score?.difficulty ?? null,
    traffic_score: term.score?.traffic ?? null,
    is_partial: term.score?.is_partial ?? false,
    scored_at: term.score?.scored_at ?? null,
  };
  return {
    keyword,
    ...scores,
    kei: term.score && keiOfScore(term.score),
    is_navigational: term.score && term.score.brand !== null,
    is_searched: term.score && isSearchedOrUnknown(term.score),
    rank_date: page.day,
    result_count: page.size,
    ranking: apps.slice(0, maxRanking).map((app, index) => {
      const { title, icon, genre, rating, ratings } = app;
      return { rank: index + 1, app_id: app.app_id, title, icon, genre, rating, ratings };
    }),
    related_keywords: related.map(({ keyword }) => keyword),
    related: related.map(toRelatedTermMessage),
    is_saved: await trySave(deps, { account_id: accountId, ...storefront, keyword }, scores, call),
  };
}

/** Returns whether the inspection was saved: a failure to save it does not fail the request. */
async function trySave(
  { inspections, now }: InspectKeywordDeps,
  query: InspectionQuery,
  scores: InspectionScores,
  { log }: CallContext,
): Promise<boolean> {
  try {
    await inspections.save(query, scores, now());
    return true;
  } catch (error) {
    log.error({ err: error }, 'saving an inspection failed; it is missing in the history');
    return false;
  }
}
