import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import fc from 'fast-check';
import { createRecordingBus } from '../../../testing/recording-bus.ts';
import { anyRandom, createShufflingBus, type Random } from '../../../testing/shuffling-bus.ts';
import { type Auditing, createAuditingHarness } from './start-auditing.ts';
import { anyActions, keywords, trackingHistory } from './tracking-history.ts';

const { startAuditing, clear } = createAuditingHarness();
const start = new Date('2026-03-10T09:00:00Z');

type History = ReturnType<typeof trackingHistory>;

/** A service that knows the scores of some words, when all events of the history have happened. */
async function startAt({ end }: History, isOnlyCopy = false): Promise<Auditing> {
  await clear();
  const auditing = await startAuditing({ isOnlyCopy });
  auditing.clock.moveTo(end);
  await auditing.measureAll(['editor', ...keywords]);
  return auditing;
}

async function deliverInOrder(history: History): Promise<Auditing> {
  const auditing = await startAt(history);
  const bus = createRecordingBus();
  await auditing.subscribe(bus);
  for (const event of history.events) await bus.redeliver(event);
  for (const accountId of history.deleted) await auditing.deleteAccount(accountId);
  return auditing;
}

/** To two copies, or the only one, with workers that audit and with deletions of accounts at any time. */
async function deliverShuffled(
  history: History,
  random: Random,
  heldBack: readonly string[],
  isOnlyCopy: boolean,
): Promise<Auditing> {
  const auditing = await startAt(history, isOnlyCopy);
  const copies = isOnlyCopy ? [auditing] : [auditing, auditing.startCopy()];
  const bus = createShufflingBus({ random, heldBack });
  for (const copy of copies) await copy.subscribe(bus);
  const undeleted = [...history.deleted];
  await bus.publish(history.events);
  await bus.deliverAll(async () => {
    const copy = copies[Math.floor(random() * copies.length)] ?? auditing;
    if (random() < 0.1) await copy.runDue();
    const accountId = random() < 0.2 ? undeleted.pop() : undefined;
    if (accountId !== undefined) await copy.deleteAccount(accountId);
  });
  for (const accountId of undeleted) await auditing.deleteAccount(accountId);
  return auditing;
}

/** What readers see once the worker has done everything that is due, on this day and two days later. */
async function stateOf(auditing: Auditing, { end }: History) {
  for (const days of [0, 2]) {
    auditing.clock.moveTo(
      new Date(Date.parse(`${end.toISOString().slice(0, 10)}T23:59:59Z`) + days * 86_400_000),
    );
    await auditing.runDue();
  }
  const rows = async (collection: string) =>
    (await auditing.rows(collection)).sort((one, other) => (String(one._id) < String(other._id) ? -1 : 1));
  const listings = await rows('listings');
  const followed = new Set(listings.filter(({ due_at: dueAt }) => dueAt != null).map(({ _id }) => _id));
  return {
    watchers: await rows('watchers'),
    // The untracked event does not name the keyword.
    trackedTerms: (await rows('tracked_terms')).map(({ _id, active, at, keyword }) =>
      active ? { _id, at, keyword } : { _id, at },
    ),
    listings: listings.map(({ _id, revision, read_at, content, followed_since_day, due_at }) => {
      const isFollowed = due_at != null;
      return { _id, revision, read_at, content, followed_since_day, isFollowed };
    }),
    audits: (await rows('audits'))
      .filter(({ _id }) => followed.has(_id))
      .map(({ _id, revision, readiness, report }) => ({ _id, revision, readiness, global: report.global })),
    ratings: (await rows('visibility_days'))
      .filter(({ ratings }) => ratings != null)
      .map(({ _id, ratings, ratings_at }) => ({ _id, ratings, ratings_at })),
    // Audits request other terms, and which audits are made is a matter of time.
    terms: (await rows('terms'))
      .filter(({ is_tracked: isTracked }) => isTracked)
      .map(({ _id, tracked_at, ranking, importance }) => ({ _id, tracked_at, ranking, importance })),
  };
}

const topics = [
  'tracking.application-tracked.v1',
  'tracking.application-untracked.v1',
  'tracking.keyword-tracked.v1',
  'tracking.keyword-untracked.v1',
  'tracking.snapshot-taken.v1',
  'tracking.listing-changed.v1',
  'tracking.listing-read.v1',
];

const anyHeldBack = fc.subarray(topics, { maxLength: 3 });

async function expectSameState(isOnlyCopy: boolean, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyActions, anyRandom, anyHeldBack, async (actions, random, heldBack) => {
      const history = trackingHistory(actions, start);
      const inOrder = await stateOf(await deliverInOrder(history), history);
      const shuffled = await stateOf(await deliverShuffled(history, random, heldBack, isOnlyCopy), history);
      expect(shuffled).toEqual(inOrder);
      expect(shuffled.watchers.filter(({ account_id: id }) => history.deleted.includes(id))).toEqual([]);
    }),
    { numRuns, endOnFailure: true },
  );
}

test('events shuffled across topics, repeated and delayed leave scoring as events in order do', () =>
  expectSameState(false, 25));

test('so do they in the only copy, which remembers rows', () => expectSameState(true, 10));

test('the test delivers every topic', () => {
  const published = new Set<EventRecord['topic']>();
  const sample = fc.sample(anyActions, { numRuns: 100, seed: 1 });
  for (const actions of sample)
    for (const { topic } of trackingHistory(actions, start).events) published.add(topic);
  expect([...published].sort()).toEqual([...topics].sort());
});
