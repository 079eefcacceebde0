import { digestParts } from '../domain/digest.ts';
import { toFeedRow } from './feed-row.ts';
import type { Message } from './message.ts';

/** The JSON body of a webhook. A test has no events; a digest has the rows of the feed by part. */
export function webhookBody({ account_id, is_test: isTest, digest, alerts }: Message): string {
  if (!digest)
    return JSON.stringify({
      type: isTest ? 'test' : 'alerts',
      account_id,
      events: alerts.map(toFeedRow),
    });
  const { movers, entered_and_left, listing_changes, unread } = digestParts(alerts);
  return JSON.stringify({
    type: 'digest',
    account_id,
    digest_id: digest.digest_id,
    from: digest.from.toISOString(),
    to: digest.to.toISOString(),
    total: digest.total,
    movers: movers.map(toFeedRow),
    entered_and_left: entered_and_left.map(toFeedRow),
    listing_changes: listing_changes.map(toFeedRow),
    unread: unread.map(toFeedRow),
  });
}
