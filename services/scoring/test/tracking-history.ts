import type { Topic, TopicMessages } from '@shelfwise/proto/topics';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import { nextChangeTime } from '@shelfwise/runtime/events/next-change-time';
import { newEvent } from '@shelfwise/runtime/events/outbox';
import fc from 'fast-check';
import { appIdOf, trackedListing, us } from './start-auditing.ts';

/** What users and the daily run do. Numbers and names are few, so that actions meet on the same rows. */
export type Action =
  | { do: 'track' | 'untrack'; account: string; app: number }
  | { do: 'trackKeyword' | 'untrackKeyword'; account: string; app: number; keyword: string }
  | { do: 'read'; app: number; isChanged: boolean }
  | { do: 'snapshot'; keyword: string; isEmpty: boolean }
  | { do: 'deleteAccount'; account: string }
  | { do: 'wait'; ms: number };

const accounts = ['ann', 'ben'];
const apps = [1, 2];
export const keywords = ['camera', 'photo'];

const account = fc.constantFrom(...accounts);
const app = fc.constantFrom(...apps);
const keyword = fc.constantFrom(...keywords);
const trackKeyword = fc.constantFrom('trackKeyword' as const, 'untrackKeyword' as const);

export const anyActions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constantFrom('track' as const, 'untrack' as const), account, app }),
    },
    { weight: 4, arbitrary: fc.record({ do: trackKeyword, account, app, keyword }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), app, isChanged: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('snapshot' as const), keyword, isEmpty: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteAccount' as const), account }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1000, dayMs) }),
    },
  ),
  { minLength: 5, maxLength: 30 },
);

/** The newest change of a row, as tracking stores it. */
type Row = { isActive: boolean; at: Date };

/**
 * The events that tracking publishes of these actions, in order, and the accounts that are deleted at the end. Two
 * copies make the changes, and the clock of the second is an hour behind. Versions are as tracking assigns them:
 * the time of a row's change (`nextChangeTime`), and the revision and time of a listing's reading.
 */
export function trackingHistory(actions: readonly Action[], start: Date) {
  const events: EventRecord[] = [];
  const rows = new Map<string, Row>();
  const listings = new Map<number, { revision: number; readAt: Date; ratings: number }>();
  /** By keyword and day: the newest snapshot. */
  const snapshots = new Map<string, { revision: number; isEmpty: boolean }>();
  const deleted = new Set<string>();
  let clock = start;
  let changes = 0;

  function publish<T extends Topic>(topic: T, key: string | number, message: TopicMessages[T]): void {
    const { id, stored } = newEvent(topic, String(key), message, { at: clock, requestId: 'request-1' });
    events.push({ id, topic, key: stored.key, payload: stored.payload, at: stored.at });
  }

  /** The time of a change that tracks or untracks; null when it changes nothing. */
  function change(id: string, isActive: boolean): Date | null {
    const row = rows.get(id);
    if ((row?.isActive ?? false) === isActive) return null;
    changes += 1;
    const now = new Date(clock.getTime() - (changes % 2) * 3_600_000);
    const at = nextChangeTime(now, row?.at);
    rows.set(id, { isActive, at });
    return at;
  }

  function listingOf(id: number, revision: number, readAt: Date) {
    const texts = { title: `Photo Editor ${revision}`, ratings: listings.get(id)?.ratings ?? 0 };
    return trackedListing(id, texts, { revision, read_at: readAt.toISOString() });
  }

  function read(id: number, isChanged: boolean): void {
    const known = listings.get(id);
    const ratings = (known?.ratings ?? 1000) + 10;
    const readAt = nextChangeTime(clock, known?.readAt);
    const revision = (known?.revision ?? 0) + (isChanged || !known ? 1 : 0);
    listings.set(id, { revision, readAt, ratings });
    if (!known) return;
    if (isChanged)
      publish('tracking.listing-changed.v1', id, {
        listing: listingOf(id, revision, readAt),
        changed: ['title'],
      });
    else if (utcDay(known.readAt) < utcDay(readAt))
      publish('tracking.listing-read.v1', id, { id, read_at: readAt, source: 'sample', ratings });
  }

  function untrackKeyword(accountId: string, id: number, word: string): void {
    const at = change(`${accountId}:${id}:${word}`, false);
    if (at)
      publish('tracking.keyword-untracked.v1', idOf(word), {
        account_id: accountId,
        keyword_id: idOf(word),
        app_id: id,
        at,
      });
  }

  function untrack(accountId: string, id: number): void {
    const at = change(`${accountId}:${id}`, false);
    if (at) publish('tracking.application-untracked.v1', id, { account_id: accountId, id, at });
    for (const word of keywords) untrackKeyword(accountId, id, word);
  }

  function track(accountId: string, id: number): void {
    read(id, false);
    const at = change(`${accountId}:${id}`, true);
    const known = listings.get(id);
    if (!at || !known) return;
    const listing = listingOf(id, known.revision, known.readAt);
    publish('tracking.application-tracked.v1', id, { account_id: accountId, at, listing });
  }

  function trackKeyword(accountId: string, id: number, word: string): void {
    if (!rows.get(`${accountId}:${id}`)?.isActive) return;
    const at = change(`${accountId}:${id}:${word}`, true);
    const row = { account_id: accountId, app_id: id, keyword_id: idOf(word), keyword: word, storefront: us };
    if (at) publish('tracking.keyword-tracked.v1', idOf(word), { ...row, at, scored_at: null });
  }

  /** A snapshot with results replaces an empty one of its day; otherwise the first one stays. */
  function takeSnapshot(word: string, isEmpty: boolean): void {
    const day = utcDay(clock);
    const known = snapshots.get(`${word} ${day}`);
    if (known && (isEmpty || !known.isEmpty)) return;
    const revision = (known?.revision ?? 0) + 1;
    snapshots.set(`${word} ${day}`, { revision, isEmpty });
    publish('tracking.snapshot-taken.v1', idOf(word), {
      keyword_id: idOf(word),
      keyword: word,
      storefront: us,
      day,
      taken_at: clock,
      source: 'sample',
      app_ids: isEmpty ? [] : [appIdOf(1 + (snapshots.size % 2)), '9'],
      revision,
    });
  }

  function deleteAccount(accountId: string): void {
    for (const id of apps) untrack(accountId, id);
    deleted.add(accountId);
  }

  function run(action: Action): void {
    if ('account' in action && deleted.has(action.account)) return;
    if (action.do === 'track') track(action.account, action.app);
    else if (action.do === 'untrack') untrack(action.account, action.app);
    else if (action.do === 'trackKeyword') trackKeyword(action.account, action.app, action.keyword);
    else if (action.do === 'untrackKeyword') untrackKeyword(action.account, action.app, action.keyword);
    else if (action.do === 'read') read(action.app, action.isChanged);
    else if (action.do === 'snapshot') takeSnapshot(action.keyword, action.isEmpty);
    else if (action.do === 'deleteAccount') deleteAccount(action.account);
    else if (action.do === 'wait') clock = new Date(clock.getTime() + action.ms);
  }

  for (const action of actions) run(action);
  return { events, deleted: [...deleted], end: clock };
}

function idOf(word: string): number {
  return 1 + keywords.indexOf(word);
}
