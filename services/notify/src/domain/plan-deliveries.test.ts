import fc from 'fast-check';
import { planDeliveries } from './plan-deliveries.ts';

test('the alerts of an application are one delivery; deliveries are in the order of their first alerts', () => {
  const waiting = [
    { id: 3, listing_id: 2 },
    { id: 4, listing_id: 1 },
    { id: 6, listing_id: 2 },
    { id: 7, listing_id: null },
  ];
  expect(planDeliveries(waiting)).toEqual([
    { listing_id: 2, alert_ids: [3, 6] },
    { listing_id: 1, alert_ids: [4] },
    { listing_id: null, alert_ids: [7] },
  ]);
});

test('each alert is in one delivery of its application, none of more than 100, in the order of the feed', () => {
  const anyApps = fc.array(fc.constantFrom(1, 2, null), { maxLength: 450 });
  fc.assert(
    fc.property(anyApps, (apps) => {
      const waiting = apps.map((listing, index) => ({ id: index + 1, listing_id: listing }));
      const planned = planDeliveries(waiting);
      for (const { listing_id, alert_ids } of planned) {
        expect(alert_ids.length).toBeLessThanOrEqual(100);
        expect(alert_ids).toEqual([...alert_ids].sort((a, b) => a - b));
        for (const id of alert_ids) expect(apps[id - 1]).toBe(listing_id);
      }
      const all = planned.flatMap(({ alert_ids }) => alert_ids).sort((a, b) => a - b);
      expect(all).toEqual(waiting.map(({ id }) => id));
      const firsts = planned.map(({ alert_ids }) => alert_ids[0] ?? 0);
      expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
    }),
  );
});
