import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Store } from '@shelfwise/facts/stores/store';
import type { KeywordTracked, KeywordUntracked } from '@shelfwise/proto/tracking/v1/events';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import type { Auditor } from '../audits/auditor.ts';
import type { KeywordChange } from '../audits/redraw-basket.ts';
import type { TermDocument } from '../stores/term-schema.ts';
import type { NewlyTracked, TermStore } from '../stores/term-store.ts';
import type { TrackedTermKey, TrackedTermStore } from '../stores/tracked-term-store.ts';
import { mustReadAgain } from '../terms/doubted-page.ts';
import { createKeywordScoredEvent } from '../terms/keyword-scored-event.ts';
import { isUpToDate } from '../terms/missing-parts.ts';

type Deps = {
  auditor: Pick<Auditor, 'onKeywordsChanged'>;
  terms: Pick<TermStore, 'find' | 'track'>;
  trackedTerms: Pick<TrackedTermStore, 'save' | 'saveRemoved'>;
  now: () => Date;
  /** Called after an event was stored in the outbox. */
  wake: () => void;
  /** Makes the worker measure the due tracked keywords of a store now. */
  wakeTracked: (store: Store) => void;
};

type Event = Pick<EventRecord, 'id' | 'requestId'>;

/**
 * Accounts start to track keywords. Each is measured before all background work, unless another account tracks it and it is
 * measured already. Its stored scores are published where tracking does not show them. Tracked keywords are the first terms of
 * the app's basket when it is next drawn, which is at once while the basket is not fixed.
 *
 * Cost: a query and a write for the terms, a write for the rows, and one for the apps, however many keywords there are; for each app
 * also what `redrawBasket` takes.
 */
export function createOnKeywordsTracked({ auditor, terms, trackedTerms, now, wake, wakeTracked }: Deps) {
  return async (messages: readonly KeywordTracked[], events: readonly Event[]): Promise<void> => {
    const at = now();
    const known = await Promise.all(
      messages.map(({ storefront, keyword }) => terms.find(checkStorefront(storefront), keyword)),
    );
    const tracked = messages.map((message, index) =>
      toNewlyTracked(message, { known: known[index] ?? null, event: events[index] as Event, at }),
    );
    await terms.track(tracked, at);
    if (tracked.some(({ event }) => event !== null)) wake();
    const due = tracked.filter(({ isDue }) => isDue);
    for (const store of new Set(due.map(({ storefront }) => storefront.store))) wakeTracked(store);
    const saved = await trackedTerms.save(
      messages.map((message, index) => {
        const { storefront, keyword, trackedAt } = tracked[index] as NewlyTracked;
        return { key: keyOf(message), active: true, at: trackedAt, term: { ...storefront, keyword } };
      }),
    );
    const isRepeated = saved === null || saved.upsertedCount + saved.modifiedCount < messages.length;
    await auditor.onKeywordsChanged(
      messages.map((message, index): KeywordChange => {
        const { keyword, isDue } = tracked[index] as NewlyTracked;
        const isComplete = !isDue && hasCompleteScore(known[index] ?? null);
        const state = isComplete ? 'measured' : 'unmeasured';
        return { listing_id: message.app_id, keyword, state, isRepeated };
      }),
    );
  };
}

/** Accounts stop tracking keywords. */
export function createOnKeywordsUntracked({ auditor, trackedTerms }: Pick<Deps, 'auditor' | 'trackedTerms'>) {
  return async (messages: readonly KeywordUntracked[]): Promise<void> => {
    const keywords = await trackedTerms.saveRemoved(
      messages.map((message) => ({ key: keyOf(message), at: timeOf(message) })),
    );
    await auditor.onKeywordsChanged(
      messages.map(
        (message, index): KeywordChange => ({
          listing_id: message.app_id,
          keyword: keywords[index] ?? null,
          state: 'removed',
          isRepeated: false,
        }),
      ),
    );
  };
}

function toNewlyTracked(
  message: KeywordTracked,
  { known, event: { id, requestId = id }, at }: { known: TermDocument | null; event: Event; at: Date },
): NewlyTracked {
  const { keyword, scored_at: shownAt } = message;
  const storefront = checkStorefront(message.storefront);
  const isShown = known?.score != null && shownAt != null && known.score.scored_at <= shownAt;
  const isDue = !known?.is_tracked || known.has_unpublished_scores || !isMeasured(known, at);
  return {
    storefront,
    keyword,
    trackedAt: timeOf(message),
    isDue,
    event: known && !isShown ? createKeywordScoredEvent(known, { at, requestId }) : null,
  };
}

/** Whether an audit could do nothing more with the term after its next measurement of today. */
function hasCompleteScore(term: TermDocument | null): boolean {
  const score = term?.score;
  return score != null && score.traffic !== null && score.difficulty !== null && !score.is_partial;
}

/** Whether the daily run has nothing to read for a tracked term. */
function isMeasured(term: TermDocument, now: Date): boolean {
  const { reading, score, ranking } = term;
  if (!score) return false;
  const isUserWaiting = score.difficulty === null || score.traffic === null;
  if (mustReadAgain(reading.page, ranking, { isUserWaiting, now })) return false;
  return isUpToDate({ reading, score }, term, { page: 'today' }, now);
}

function timeOf({ at }: KeywordTracked | KeywordUntracked): Date {
  if (!at) throw new Error('the event does not say when the keyword was tracked or untracked');
  return at;
}

function keyOf(event: KeywordTracked | KeywordUntracked): TrackedTermKey {
  return { account_id: event.account_id, listing_id: event.app_id, keyword_id: event.keyword_id };
}
