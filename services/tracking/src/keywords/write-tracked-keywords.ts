import { utcDay } from '@shelfwise/runtime/day';
import type { WakeRelay } from '@shelfwise/runtime/events/outbox-relay';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { CapReservations } from '@shelfwise/runtime/mongo/cap-reservations';
import { nextReading } from '../domain/next-reading.ts';
import { keywordTracked, keywordUntracked } from '../domain/tracking-events.ts';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import type { TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';
import { appNotTracked, capReached, roomReservedMessage } from '../tracking-errors.ts';
import {
  type Attempt,
  alreadyTracked,
  idOf,
  isReady,
  type ReadyAttempt,
  type Target,
} from './keyword-attempt.ts';
import { countTrackedKeywords, keywordCapReached } from './keyword-cap.ts';

type Deps = {
  keywordMarkets: Pick<KeywordMarketStore, 'addTrackers'>;
  trackedApps: TrackedAppStore;
  trackedKeywords: TrackedKeywordStore;
  capReservations: CapReservations;
  now: () => Date;
  wakeRelay: WakeRelay;
};

/**
 * Writes the rows of the accepted keywords, as many as the plan has room for.
 * @throws APP_NOT_FOUND when the app was removed meanwhile; PLAN_LIMIT when no page was read and the plan has no room for any keyword
 */
export async function writeTrackedKeywords(
  deps: Deps,
  target: Target,
  attempts: readonly Attempt[],
  { requestId, signal }: CallContext,
): Promise<void> {
  const { app, maxTracked } = target;
  // Reading pages takes seconds.
  const hasRead = attempts.some(({ page }) => page !== null);
  if (hasRead && !(await deps.trackedApps.isActive(app))) throw appNotTracked();
  const ready = attempts.filter(isReady);
  if (ready.length === 0) return;
  const request = {
    accountId: app.account_id,
    item: 'keywords',
    cap: maxTracked,
    wanted: ready.length,
    countRows: () => countTrackedKeywords(deps, app),
    signal,
  } as const;
  const { written, isFull } = await deps.capReservations.write(request, {
    async write(granted) {
      await writeRows(deps, target, ready.slice(0, granted), requestId);
      return granted;
    },
    undo: (granted) => untrack(deps, app, ready.slice(0, granted).filter(isReady).map(idOf), requestId),
  });
  await refuseRest(deps, target, ready.slice(written ?? 0), isFull);
  // A call that reads pages was refused before it read them (`requireRoom`), or has lost its room since.
  const refusal = keywordCapReached(maxTracked ?? 0);
  if (!hasRead && ready.every(({ problem }) => problem === refusal))
    throw capReached('tracked keyword', maxTracked ?? 0);
}

/**
 * Refuses keywords that found no room: the cap is reached, or another call has reserved the rest (`isFull` is false). A
 * call with the same keywords may have taken it.
 */
async function refuseRest(
  { trackedKeywords }: Deps,
  { app, maxTracked }: Target,
  rest: readonly ReadyAttempt[],
  isFull: boolean,
): Promise<void> {
  const trackedIds = new Set(await trackedKeywords.findActive(app, rest.map(idOf)));
  for (const attempt of rest)
    if (trackedIds.has(idOf(attempt))) attempt.problem = alreadyTracked;
    else attempt.problem = isFull ? keywordCapReached(maxTracked ?? 0) : roomReservedMessage;
}

/**
 * Writes the rows with their events. Refuses keywords that are tracked already.
 * @throws APP_NOT_FOUND when the app was removed meanwhile
 */
async function writeRows(
  deps: Deps,
  { app, storefront }: Target,
  ready: readonly ReadyAttempt[],
  requestId: string,
): Promise<void> {
  const { keywordMarkets, trackedApps, trackedKeywords, now, wakeRelay } = deps;
  const at = now();
  // Before the rows, so that an interrupted call leaves no tracked keyword outside the daily run. The daily run stops
  // reading a keyword only when it has no row and no call added a tracker within the last hour.
  const today = utcDay(at);
  await keywordMarkets.addTrackers(
    ready.map(({ market: { _id: id, latest } }) => ({ id, plannedAt: nextReading(id, latest.day, today) })),
    at,
  );
  const key = { account_id: app.account_id, app_id: app.listing_id };
  const rows = ready.map(({ keyword, market, removedAt }) => {
    const row = { keyword_id: market._id, keyword };
    const tracked = { ...key, ...row, storefront, scored_at: market.scores?.scored_at ?? null };
    const eventAt = (at: Date) => keywordTracked(tracked, { at, requestId });
    return { ...row, eventAt, removedAt };
  });
  const trackedIds = await trackedKeywords.trackMany(app, rows, at);
  for (const attempt of ready) if (!trackedIds.has(idOf(attempt))) attempt.problem = alreadyTracked;

  wakeRelay(trackedKeywords.model);
  if (await trackedApps.isActive(app)) return;
  // Another copy removed the app meanwhile, and its removal may have missed the new rows.
  await untrack(deps, app, [...trackedIds], requestId);
  throw appNotTracked();
}

async function untrack(
  { trackedKeywords, now, wakeRelay }: Deps,
  app: TrackedAppKey,
  keywordIds: readonly number[],
  requestId: string,
): Promise<void> {
  const { account_id: accountId, listing_id: appId } = app;
  for (const keywordId of keywordIds) {
    const row = { account_id: accountId, keyword_id: keywordId, app_id: appId };
    await trackedKeywords.untrack({ ...app, keyword_id: keywordId }, now(), (at) =>
      keywordUntracked(row, { at, requestId }),
    );
  }
  wakeRelay(trackedKeywords.model);
}
