import { randomUUID } from 'node:crypto';
import { type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import { utcDay } from '@shelfwise/runtime/day';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import fc from 'fast-check';
import { anyRandom, createShufflingBus } from '../../../testing/shuffling-bus.ts';
import { addAudit, noAudits } from '../src/domain/audit-days.ts';
import { createHarness, type Tracking, trackApp, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness();

/** What scoring publishes one after another, each a little later than the one before. */
type Publication =
  | { what: 'scores'; difficulty: number | null; traffic: number | null; is_partial: boolean }
  | { what: 'audit'; isWaiting: boolean; global: number; is_partial: boolean };

const score = fc.option(fc.nat({ max: 100 }));
const anyPublications: fc.Arbitrary<Publication[]> = fc.array(
  fc.oneof(
    fc.record({
      what: fc.constant('scores' as const),
      difficulty: score,
      traffic: score,
      is_partial: fc.boolean(),
    }),
    fc.record({
      what: fc.constant('audit' as const),
      isWaiting: fc.boolean(),
      global: fc.nat({ max: 100 }),
      is_partial: fc.boolean(),
    }),
  ),
  { minLength: 2, maxLength: 12 },
);

function record<T extends Topic>(topic: T, key: string, message: TopicMessages[T]): EventRecord {
  const codec = topics[topic] as { encode(message: TopicMessages[T]): { finish(): Uint8Array } };
  return { id: randomUUID(), topic, key, payload: codec.encode(message).finish(), at: new Date() };
}

/** The events of the publications, and what the last of each topic says. */
function eventsOf(publications: readonly Publication[], id: number, keyword: string) {
  let scores: object | null = null;
  let asoHealth: object | null = null;
  let audits = noAudits;
  const events = publications.map((publication, index) => {
    // Three a day.
    const at = new Date(Date.UTC(2026, 2, 10, 9 + 8 * index));
    if (publication.what === 'scores') {
      const { what: _, ...newest } = publication;
      scores = newest;
      const common = { storefront: us, keyword, scoring_version: 2, source: 'sample' };
      return record('scoring.keyword-scored.v1', keyword, { ...common, ...newest, scored_at: at });
    }
    const { isWaiting, global, is_partial } = publication;
    const computedAt = isWaiting ? new Date('2026-03-10T08:00:00Z') : at;
    const newest = { global, computed_at: computedAt, pending_at: isWaiting ? at : null, is_partial };
    asoHealth = newest;
    if (!isWaiting && !is_partial)
      audits = addAudit(audits, { day: utcDay(at), at, global, scoring_version: 2 }) ?? audits;
    return record('scoring.listing-audited.v1', String(id), {
      id,
      coverage: 1,
      targeting: 2,
      appeal: 3,
      tier: 1,
      scoring_version: 2,
      ...newest,
    });
  });
  return { events, expected: { scores, asoHealth, audits } };
}

/** Delivers publications about new applications and keywords to all copies, with a look between them, and compares what is stored. */
async function expectNewest(
  copies: readonly [Tracking, ...Tracking[]],
  numRuns: number,
  look: (id: number) => Promise<unknown> = async () => {},
  check: (id: number, asoHealth: object | null) => Promise<void> = async () => {},
): Promise<void> {
  const [one] = copies;
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(anyPublications, anyRandom, async (publications, random) => {
      runs += 1;
      const keyword = `word ${runs}`;
      const id = await trackApp(one, 'ann', String(1000 + runs));
      await trackKeywords(one, 'ann', id, [keyword]);
      const { events, expected } = eventsOf(publications, id, keyword);
      const bus = createShufflingBus({ random });
      for (const copy of copies)
        await bus.subscribe({
          group: 'tracking',
          topics: ['scoring.keyword-scored.v1', 'scoring.listing-audited.v1'],
          onEvent: (event) => copy.bus.redeliver(event),
        });
      await bus.publish(events);
      await bus.deliverAll(async () => void (await look(id)));

      const market = await one.connection.collection('keyword_markets').findOne({ keyword });
      const listing = await one.connection.collection('listings').findOne({ app_id: String(1000 + runs) });
      if (expected.scores) expect(market?.scores).toMatchObject(expected.scores);
      else expect(market?.scores).toBeUndefined();
      if (expected.asoHealth) expect(listing?.aso_health).toMatchObject(expected.asoHealth);
      else expect(listing?.aso_health).toBeNull();
      expect(listing?.audits ?? noAudits).toEqual(expected.audits);
      await check(id, expected.asoHealth);
    }),
    { numRuns, endOnFailure: true },
  );
}

test('shuffled, repeated and late scores and audits leave two copies of tracking with the newest', async () => {
  const one = await startTracking();
  await expectNewest([one, await startTracking({ database: one.database })], 40);
});

test('so do they in the only copy, whose list shows the newest audit', async () => {
  const only = await startTracking({ isOnlyCopy: true });
  const healthOf = async (id: number) => {
    const { applications } = await only.client.listApplications({ account_id: 'ann' });
    return applications.find(({ listing }) => listing?.id === id)?.aso_health;
  };
  await expectNewest([only], 10, healthOf, async (id, asoHealth) =>
    expect((await healthOf(id))?.global).toBe((asoHealth as { global: number } | null)?.global),
  );
});
