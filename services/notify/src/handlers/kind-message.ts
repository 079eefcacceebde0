import { type AlertKind, alertKinds } from '@shelfwise/facts/alerts/alert-kinds';
import type { AlertKind as KindMessage } from '@shelfwise/proto/notify/v1/notify';
import { invalidParams } from '@shelfwise/runtime/errors';

/** The contract's spelling of a kind. */
export function toKindMessage(kind: AlertKind): KindMessage {
  return kind.toUpperCase() as Uppercase<AlertKind>;
}

/** @throws INVALID_PARAMS for an unknown kind */
export function checkKind(kind: KindMessage): AlertKind {
  const known = alertKinds.find((one) => toKindMessage(one) === kind);
  if (!known) throw invalidParams({ kind: `must be one of ${alertKinds.join(', ')}` });
  return known;
}
