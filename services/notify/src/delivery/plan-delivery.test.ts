import type { ClaimedChannel, OpenChannel } from '../stores/channel-store.ts';
import { createPlanDelivery } from './plan-delivery.ts';

const at = new Date('2026-03-10T09:00:00Z');
const claimed = { _id: 7 } as ClaimedChannel;
const channel: Partial<OpenChannel> = {
  id: 7,
  account_id: 'ann',
  timing: 'hourly',
  last_alert: 0,
  planned: [],
};

test.each([
  ['an alert waits for its hour', [{ id: 1, at, listing_id: 1, channels: [7] }]],
  ['no alert waits', []],
])(
  'a digest that is written just before the claim of its channel ends is sent at once: %s',
  async (_, feed) => {
    const calls: unknown[] = [];
    let hasDigest = false;
    const planDelivery = createPlanDelivery({
      channels: {
        queue: {
          async complete() {
            // Written after the feed was read: the channel is still claimed, so the digest has not made it due.
            hasDigest = true;
            calls.push('complete');
          },
        },
        makeDue: async (ids: number[], dueAt: Date) => calls.push(['make due', ids, dueAt]),
      },
      deliveries: { findFirstWaiting: async () => (hasDigest ? {} : null) },
      alerts: { listAfter: async (_account: string, after: number) => feed.filter(({ id }) => id > after) },
      wake: () => calls.push('wake'),
      now: () => at,
    } as never);
    expect(await planDelivery(claimed, channel as OpenChannel)).toBeNull();
    expect(calls).toEqual(['complete', ['make due', [7], at], 'wake']);
  },
);
