import { daysBefore } from '@shelfwise/runtime/day';
import { urgent } from '../services/store-fetch/src/budget/urgency.ts';
import { shareSampleSource } from '../services/store-fetch/test/share-sample-catalog.ts';
import type { Snapshot } from '../services/tracking/src/domain/snapshot.ts';
import { monthKey, packMonth, unpackMonth } from '../services/tracking/src/domain/snapshot-month.ts';

const source = shareSampleSource({ now: () => new Date('2026-11-21T15:30:00Z') });
const options = { signal: new AbortController().signal, urgency: urgent, limit: 100 };
/** Two whole months and parts of two: a search of the sample takes 50 ms. */
const days = Array.from({ length: 81 }, (_, index) => daysBefore('2026-11-20', index)).reverse();

test.each([
  ['ITUNES', 'US', 'en-US', 'photo editor'],
  ['GPLAY', 'DE', 'en-US', 'photo editor'],
] as const)(
  'every day of the sample’s months on %s comes back from its packed month',
  async (store, country, lang, term) => {
    const months = new Map<string, Snapshot[]>();
    let resultCount = 0;
    for (const day of days) {
      const page = await source.search({ store, country, lang }, term, { ...options, onDay: day });
      const appIds = page.apps.map(({ app_id: appId }) => appId);
      const snapshot = { day, taken_at: page.readAt, source: page.source, app_ids: appIds, revision: 1 };
      months.set(monthKey(day), [...(months.get(monthKey(day)) ?? []), snapshot]);
      resultCount += appIds.length;
    }
    expect(resultCount).toBeGreaterThan(20 * days.length);
    let bytes = 0;
    for (const [key, snapshots] of months) {
      const packed = packMonth(snapshots);
      bytes += Buffer.byteLength(packed);
      expect(unpackMonth(key, packed)).toEqual(snapshots);
    }
    // An identifier in an array of its own takes at least 16.
    expect(bytes).toBeLessThan(6 * resultCount);
  },
);
