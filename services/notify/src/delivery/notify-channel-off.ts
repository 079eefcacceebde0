import { utcDay } from '@shelfwise/runtime/day';
import { noEvidence } from '../domain/alert.ts';
import type { PublishAlerts } from '../publish-alerts.ts';
import type { OpenChannel } from '../stores/channel-store.ts';
import type { Off } from './channel-jobs.ts';

/** Adds to the feed of its account that a channel was turned off: one alert a channel and day. */
export function createNotifyChannelOff({ publishAlerts }: { publishAlerts: PublishAlerts }) {
  return (
    { id, account_id: accountId, name }: Pick<OpenChannel, 'id' | 'account_id' | 'name'>,
    { off_reason: reason, off_at: at, failing_since: since }: Off,
  ): Promise<void> =>
    publishAlerts([
      {
        ...noEvidence,
        account_id: accountId,
        rule_id: null,
        kind: 'channel_off',
        threshold: null,
        app: null,
        day_before: since && utcDay(since),
        day_after: utcDay(at),
        channel: { id, name, reason },
      },
    ]);
}
