import { randomUUID } from 'node:crypto';
import type { SharedRecords } from '@shelfwise/runtime/redis/shared-records';
import type { Clock } from './clock.ts';
import type { Address, Endpoint } from './endpoints.ts';
import { createSharedBacking, type SharedBacking } from './shared-backing.ts';

/** Written into the name of the record: copies with another format keep breakers of their own. */
const breakerStateFormat = 3;
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
  clock,
}: {
  records: SharedRecords;
  /** Copies with another scope share nothing. */
  scope: string;
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

  const backings = new Map<string, SharedBacking>();

  /** Reads what the other copies have done. Without an answer every copy goes on alone. */
  async function look(): Promise<void> {
    const answer = await records.readFields(record).catch(() => null);
    if (!answer || isStopped) return;
    adjust(answer);
    for (const [field, backing] of backings) backing.see(answer.fields.get(field) ?? null);
  }

  async function lookAgainAndAgain(): Promise<void> {
    await look();
    if (!isStopped) stopLooking = clock.after(lookEveryMs, () => void lookAgainAndAgain());
  }

  return {
    /** To be called once for each breaker. */
    backingOf(endpoint: Endpoint, { label }: Address): SharedBacking {
      const field = `${endpoint} ${label}`;
      const backing = createSharedBacking({
        copyId,
        nowMs,
        onChange: () => onChange(),
        replace: async (expected, value) =>
          adjust(await records.replaceField(record, field, { expected, value, ttlMs: recordTtlMs })),
      });
      backings.set(field, backing);
      return backing;
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
