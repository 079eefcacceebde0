import { type AlertKind, alertKinds, type FeedKind, feedKinds } from '@shelfwise/facts/alerts/alert-kinds';
import type { AlertKind as KindMessage } from '@shelfwise/proto/notify/v1/notify';
import { invalidParams } from '@shelfwise/runtime/errors';

/** The contract's spelling of a kind. */
export function toKindMessage(kind: FeedKind): KindMessage {
  return kind.toUpperCase() as Uppercase<FeedKind>;
}

/** @throws INVALID_PARAMS for a kind that the feed does not have */
export function checkFeedKind(kind: KindMessage): FeedKind {
  const known = feedKinds.find((one) => toKindMessage(one) === kind);
  if (!known) throw invalidParams({ kind: `must be one of ${feedKinds.join(', ')}` });
  return known;
}

/** @throws INVALID_PARAMS for a kind that no rule has */
export function checkKind(kind: KindMessage): AlertKind {
  const known = alertKinds.find((one) => toKindMessage(one) === kind);
  if (!known) throw invalidParams({ kind: `must be one of ${alertKinds.join(', ')}` });
  return known;
}
