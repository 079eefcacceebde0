import type { FeedKind } from '@shelfwise/facts/alerts/alert-kinds';
import type { DigestPart } from '@shelfwise/facts/alerts/digests';
import type { DigestSchedule } from './digest-time.ts';

/** What an account gets together, every day or week. */
export type Digest = DigestSchedule & {
  id: number;
  account_id: string;
  channel_id: number;
  /** internal app id of the application; null: all of them */
  app_id: number | null;
  created_at: Date;
  /** When the last one was due; null: none was. */
  last_due_at: Date | null;
};

/** What a delivery of a digest is about. */
export type DigestPeriod = {
  digest_id: number;
  from: Date;
  to: Date;
  /** Alerts of the period, also those that are too many for one message. */
  total: number;
};

/** The part of each kind. Null: it is about the account itself, and in the feed only. */
const partOf: Readonly<Record<FeedKind, DigestPart | null>> = {
  rank_drop: 'movers',
  rank_rise: 'movers',
  overtaken: 'movers',
  entered_top: 'entered_and_left',
  left_top: 'entered_and_left',
  chart_entered: 'entered_and_left',
  chart_left: 'entered_and_left',
  listing_changed: 'listing_changes',
  rating_drop: 'listing_changes',
  audit_drop: 'listing_changes',
  keyword_unread: 'unread',
  store_blocked: 'unread',
  store_recovered: 'unread',
  quota_used: null,
  channel_off: null,
};

export const digestKinds = (Object.keys(partOf) as FeedKind[]).filter((kind) => partOf[kind] !== null);

/** The alerts by part, in the order of the feed. */
export function digestParts<Alert extends { kind: FeedKind }>(
  alerts: readonly Alert[],
): Record<DigestPart, Alert[]> {
  const of = (part: DigestPart) => alerts.filter(({ kind }) => partOf[kind] === part);
  return {
    movers: of('movers'),
    entered_and_left: of('entered_and_left'),
    listing_changes: of('listing_changes'),
    unread: of('unread'),
  };
}
