import type { Worker } from '@shelfwise/runtime/jobs/worker';
import { PartState } from '@shelfwise/runtime/process/status';

/** What operators see of deliveries: a receiver that fails is its account's matter, a pause is theirs. */
export function describeDeliveries(
  { pauseReason }: Pick<Worker, 'pauseReason'>,
  { hasKey, missingSettings }: { hasKey: boolean; missingSettings: readonly string[] },
) {
  const pause = pauseReason();
  const sends = hasKey
    ? `sent as alerts are found${missingSettings.length === 0 ? '' : `; none by mail, because ${missingSettings.join(', ')} is not set`}`
    : 'there are no channels, because SECRETS_KEY is not set; alerts are in the feed';
  return {
    name: 'deliveries',
    state: pause ? PartState.DEGRADED : PartState.OK,
    detail: pause
      ? `nothing is sent until ${pause.until.toISOString().slice(11, 16)} UTC: ${pause.reason}`
      : sends,
    is_embedded: false,
  };
}
