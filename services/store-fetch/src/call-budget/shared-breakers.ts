import { randomUUID } from 'node:crypto';
import type { SharedRecords } from '@shelfwise/runtime/redis/shared-records';
import type { Address } from './addresses.ts';
import type { Clock } from './clock.ts';
import { breakerStateFormat } from './encode-breaker-state.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { createSharedBreakerPlace, type SharedBreakerPlace } from './shared-breaker-place.ts';

/** How long it may take until a copy knows what another has done, if its own calls do not show it earlier. */
const lookEveryMs = 1000;
/** After this time without a failure of any call, nothing is left to share. */
const recordTtlMs = 60 * 60_000;

export type SharedBreakers = ReturnType<typeof createSharedBreakers>;

/**
 * The states of all breakers, shared by the copies of the service through one record with a field per breaker. A
 * breaker is one endpoint and the label of an outgoing address, as the budgets are. Times are those of the record's
 * clock, so that the clocks of the copies may differ.
 */
export function createSharedBreakers({
  records,
  scope,
  addresses,
  clock,
}: {
  records: SharedRecords;
  /** Copies with another scope share nothing. */
  scope: string;
  addresses: readonly Address[];
  clock: Clock;
}) {
  const record = `store-fetch:breakers:${breakerStateFormat}:${scope}`;
  const copyId = randomUUID();
  /** By how much the record's clock is ahead of this process's. */
  let aheadMs = 0;
  let onChange = () => {};
  let stopLooking = () => {};
  let isStopped = false;
  const nowMs = () => clock.now().getTime() + aheadMs;
  const adjust = <Answer extends { nowMs: number }>(answer: Answer): Answer => {
    aheadMs = answer.nowMs - clock.now().getTime();
    return answer;
  };

  const places = new Map<string, SharedBreakerPlace>();
  for (const endpoint of Object.keys(endpoints) as Endpoint[])
    for (const address of addresses) {
      const field = fieldOf(endpoint, address);
      places.set(
        field,
        createSharedBreakerPlace({
          copyId,
          nowMs,
          onChange: () => onChange(),
          replace: async (expected, value) =>
            adjust(await records.replaceField(record, field, { expected, value, ttlMs: recordTtlMs })),
        }),
      );
    }

  /** Reads what the other copies have done. Without an answer every copy goes on alone. */
  async function look(): Promise<void> {
    const answer = await records.readFields(record).catch(() => null);
    if (!answer || isStopped) return;
    adjust(answer);
    for (const [field, place] of places) place.see(answer.fields.get(field) ?? null);
  }

  async function lookAgainAndAgain(): Promise<void> {
    await look();
    if (!isStopped) stopLooking = clock.after(lookEveryMs, () => void lookAgainAndAgain());
  }

  return {
    placeOf(endpoint: Endpoint, address: Address): SharedBreakerPlace {
      const place = places.get(fieldOf(endpoint, address));
      if (!place) throw new Error(`no shared breaker for ${endpoint} on ${address.label}`);
      return place;
    },

    /** Looks now, and then every second. `listener` is called when another copy has changed a breaker. */
    start(listener: () => void) {
      onChange = listener;
      void lookAgainAndAgain();
    },

    stop() {
      isStopped = true;
      stopLooking();
    },
  };
}

function fieldOf(endpoint: Endpoint, { label }: Address): string {
  return `${endpoint} ${label}`;
}
