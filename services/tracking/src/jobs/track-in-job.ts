import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { JobTarget } from '@shelfwise/proto/jobs/v1/jobs';
import { TrackKeywordResult } from '@shelfwise/proto/tracking/v1/tracking';
import type { ItemFailure, ItemOutcome } from '@shelfwise/runtime/bulk/bulk-job';
import type { WaitingItem } from '@shelfwise/runtime/bulk/bulk-job-store';
import type { RunItems } from '@shelfwise/runtime/bulk/bulk-jobs';
import { toFailedOutcome } from '@shelfwise/runtime/bulk/job-handlers';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import {
  maxSentLength,
  outOfTime,
  type TrackKeywordsDeps,
  trackKeywords,
} from '../handlers/track-keywords.ts';
import { alreadyTracked, type Target, toResult } from '../keywords/keyword-attempt.ts';
import { keywordCapReached } from '../keywords/keyword-cap.ts';
import type { ReadResultPage } from '../snapshots/read-result-page.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { missingRecord, roomReservedMessage } from '../tracking-errors.ts';

export type TrackInJobDeps = TrackKeywordsDeps & {
  readResultPage: Pick<ReadResultPage, 'forDailyRun'>;
  trackedKeywords: Pick<TrackedKeywordStore, 'findActiveSince'>;
  listings: Pick<ListingStore, 'findName'>;
};

/**
 * Calls of the store that a batch queues: at its lowest budget (20 a minute) those of a few batches are made within the 25 s that a
 * call may wait.
 */
const readsAtOnce = 2;

/** Failures that leave no other item of the job a chance. */
const lastingCodes: readonly ItemFailure['code'][] = ['APP_NOT_FOUND', 'PLAN_LIMIT'];

/**
 * Tracks the keywords of a batch as one call would, but reads their pages when neither a caller nor the daily run waits for the
 * store. A keyword that an interrupted attempt has tracked is found, and not tracked twice.
 * @param maxKeywords the plan's cap; null: there is none
 */
export function createTrackInJob(
  deps: TrackInJobDeps,
  call: CallContext,
  maxKeywords: number | null,
): RunItems<JobTarget> {
  return async (job, items) => {
    const app = { account_id: job.account_id, listing_id: job.target.app_id ?? 0 };
    const listing = await deps.listings.findName(app.listing_id);
    if (!listing) throw missingRecord(`listing ${app.listing_id}`);
    const target = { app, listing, storefront: listing, maxTracked: maxKeywords };
    const found = await findTracked(deps, target, items);
    // The room of a plan goes to those with the fewest attempts.
    const rest = items.filter(({ position }) => !found.has(position)).sort((a, b) => a.tries - b.tries);
    const { outcomes, ends } = await trackRest(deps, target, rest, call);
    const byPosition = new Map(rest.map(({ position }, index) => [position, outcomes[index] ?? 'wait']));
    return {
      outcomes: items.map(({ position }) => found.get(position) ?? byPosition.get(position) ?? 'wait'),
      ends,
    };
  };
}

/** The results of keywords that an earlier attempt has tracked before it was interrupted, by position. One query per collection. */
async function findTracked(
  { keywordMarkets, trackedKeywords }: TrackInJobDeps,
  { app, listing, storefront }: Target,
  items: readonly WaitingItem[],
): Promise<Map<number, ItemOutcome>> {
  const attempted = items.filter(({ began_at }) => began_at !== null);
  if (attempted.length === 0) return new Map();
  const normalize = (text: string) => normalizeKeyword(text, storefront.lang);
  const { store, country, lang } = storefront;
  const keywords = attempted.map(({ text }) => normalize(text));
  const markets = await keywordMarkets.findByKeyword({ store, country, lang }, keywords);
  const ids = [...markets.values()].map(({ _id }) => _id);
  const since = new Date(Math.min(...attempted.map(({ began_at }) => began_at?.getTime() ?? 0)));
  const trackedIds = new Set(await trackedKeywords.findActiveSince(app, ids, since));
  return new Map(
    attempted.flatMap(({ position, text }): [number, ItemOutcome][] => {
      const keyword = normalize(text);
      const market = markets.get(keyword);
      if (!market?.latest || !trackedIds.has(market._id)) return [];
      return [
        [
          position,
          toOutcome(toResult({ keyword, problem: null, market, page: null, removedAt: null }, listing)),
        ],
      ];
    }),
  );
}

async function trackRest(
  deps: TrackInJobDeps,
  { app, storefront: { store, country, lang }, maxTracked }: Target,
  items: readonly WaitingItem[],
  call: CallContext,
): Promise<{ outcomes: ItemOutcome[]; ends: ItemFailure | null }> {
  if (items.length === 0) return { outcomes: [], ends: null };
  /** Why pages could not be read, by keyword. */
  const unread = new Map<string, unknown>();
  const forUser: TrackKeywordsDeps['readResultPage']['forUser'] = async (storefront, keyword, options) => {
    try {
      // With its account, so that the read is queued behind those of the daily run.
      const call = { ...options, callerId: app.account_id };
      return await deps.readResultPage.forDailyRun(storefront, keyword, call);
    } catch (error) {
      unread.set(keyword, error);
      if (error instanceof AppError && error.code !== 'INTERNAL_ERROR') throw error;
      // It would end the whole call. `explain` tells what it was.
      throw new AppError('SERVICE_UNAVAILABLE', 'The page of this keyword could not be read.', {
        cause: error,
      });
    }
  };
  const request = {
    account_id: app.account_id,
    app_id: app.listing_id,
    storefront: { store, country, lang },
    // The API accepts any spelling of a keyword, and knows no language. A text that is cut is still too long, and refused alone.
    keywords: items.map(({ text }) => normalizeKeyword(text, lang).slice(0, maxSentLength)),
    max_keywords: maxTracked ?? undefined,
  };
  try {
    const { results } = await trackKeywords(
      { ...deps, readResultPage: { forUser }, readsAtOnce },
      request,
      call,
    );
    const outcomes = results.map(({ keyword, ...result }) => {
      if (result.outcome?.$case !== 'error') return toOutcome({ keyword, ...result });
      return explain(result.outcome.value, unread.get(keyword), { maxTracked, log: call.log });
    });
    return { outcomes, ends: null };
  } catch (error) {
    if (!(error instanceof AppError) || !lastingCodes.includes(error.code)) throw error;
    const failure = { code: error.code, message: error.message };
    return { outcomes: items.map(() => ({ failure, isRefunded: true })), ends: failure };
  }
}

const toOutcome = (result: TrackKeywordResult): ItemOutcome => ({
  result: TrackKeywordResult.encode(result).finish(),
});

/**
 * The code of a refusal that the single call only words. A keyword beyond the room waits: of those before it some may fail. The
 * next batch finds whether there is room left.
 */
function explain(
  message: string,
  readError: unknown,
  { maxTracked, log }: Pick<Target, 'maxTracked'> & Pick<CallContext, 'log'>,
): ItemOutcome {
  if (message === outOfTime) return 'wait';
  if (readError !== undefined) return toFailedOutcome(readError, log);
  if (message === roomReservedMessage) return { again: { code: 'SERVICE_UNAVAILABLE', message } };
  if (maxTracked !== null && message === keywordCapReached(maxTracked)) return 'wait';
  const code = message === alreadyTracked ? 'DUPLICATE' : 'INVALID_PARAMS';
  return { failure: { code, message }, isRefunded: true };
}
