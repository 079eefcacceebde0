import { batchMs } from '../domain/delivery-schedule.ts';
import type { ChannelStore } from '../stores/channel-store.ts';

export type AnnounceAlerts = ReturnType<typeof createAnnounceAlerts>;

/** Makes channels due that have something new to send: at once, or when an hour's alerts are together. */
export function createAnnounceAlerts(deps: {
  channels: Pick<ChannelStore, 'makeDue'>;
  /** Lets the worker of this process look again. */
  wake: () => void;
  now: () => Date;
}) {
  const { channels, wake, now } = deps;
  return async (channelIds: readonly number[]): Promise<void> => {
    if (channelIds.length === 0) return;
    const ids = [...new Set(channelIds)];
    const at = now();
    await channels.makeDue(ids, at, ['instant']);
    await channels.makeDue(ids, new Date(at.getTime() + batchMs), ['hourly']);
    // Also when they were due before: nothing else may have woken the worker.
    wake();
  };
}
