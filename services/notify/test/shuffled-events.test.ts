import { randomUUID } from 'node:crypto';
import { topics } from '@shelfwise/proto/topics';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import fc from 'fast-check';
import { anyRandom, createShufflingBus } from '../../../testing/shuffling-bus.ts';
import { allAlerts, createHarness, type Notify, publisher, us } from './start-notify.ts';

const { startNotify, clear } = createHarness();

const keywords = [101, 102, 103];
const days = [8, 9, 10, 11, 12, 13];

/** The rank of the app by keyword and day; null: not on the page. Undefined: the page is empty. */
const anyRanks = fc.array(
  fc.array(fc.constantFrom(1, 4, 9, 12, 40, 90, null, undefined), {
    minLength: days.length,
    maxLength: days.length,
  }),
  { minLength: keywords.length, maxLength: keywords.length },
);

function pageEvent(keywordId: number, day: number, rank: number | null | undefined): EventRecord {
  const date = `2026-03-${String(day).padStart(2, '0')}`;
  const appIds = rank === undefined ? [] : Array.from({ length: 100 }, (_, index) => `other-${index}`);
  if (rank) appIds[rank - 1] = 'app-1';
  const payload = topics['tracking.snapshot-taken.v1']
    .encode({
      keyword_id: keywordId,
      keyword: 'planner',
      storefront: us,
      day: date,
      taken_at: new Date(`${date}T05:00:00Z`),
      source: 'sample',
      app_ids: appIds,
      revision: 1,
    })
    .finish();
  const topic = 'tracking.snapshot-taken.v1';
  return { id: randomUUID(), topic, key: String(keywordId), payload, at: new Date(`${date}T05:00:00Z`) };
}

async function trackAll(notify: Notify): Promise<void> {
  const publish = publisher(notify);
  await publish.trackApp();
  for (const keywordId of keywords) await publish.trackKeyword({ keyword_id: keywordId });
}

/** What the feed says, whatever its order. */
async function feedOf({ client }: Notify) {
  const { alerts } = await client.listAlerts({ ...allAlerts, since: 0 });
  expect(alerts.map(({ id }) => id)).toEqual(alerts.map((_, index) => index + 1));
  return alerts
    .map(({ kind, keyword_id, before, after, evidence }) =>
      JSON.stringify([kind, keyword_id, before, after, evidence?.day_before, evidence?.day_after]),
    )
    .sort();
}

test('two copies that handle pages in any order of keywords, some again, publish what one publishes in order', async () => {
  await fc.assert(
    fc.asyncProperty(anyRanks, anyRandom, async (ranks, random) => {
      const events = days.flatMap((day, index) =>
        keywords.map((keywordId, row) => pageEvent(keywordId, day, ranks[row]?.[index])),
      );
      await clear();
      const inOrder = await startNotify();
      await trackAll(inOrder);
      for (const event of events) await inOrder.bus.redeliver(event);
      const expected = await feedOf(inOrder);
      await inOrder.stop();

      await clear();
      const first = await startNotify();
      await trackAll(first);
      const bus = createShufflingBus({ random });
      const copies = [
        await startNotify({ database: first.database, ofBus: bus }),
        await startNotify({ database: first.database, ofBus: bus }),
      ];
      await bus.publish(events);
      await bus.deliverAll();
      expect(await feedOf(first)).toEqual(expected);
      for (const copy of [...copies, first]) await copy.stop();
    }),
    { numRuns: 15 },
  );
});
