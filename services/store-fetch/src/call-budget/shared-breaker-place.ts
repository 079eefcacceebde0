import type { SharedRecords } from '@shelfwise/runtime/redis/shared-records';
import type { BreakerPlace } from './breaker.ts';
import {
  afterEvent,
  type BreakerEvent,
  type BreakerState,
  boundOpenTime,
  closedState,
  isForgettable,
} from './breaker-state.ts';
import { decodeBreakerState, encodeBreakerState } from './encode-breaker-state.ts';
import { mergeBreakerStates } from './merge-breaker-states.ts';

/** Longer than the longest call of a store (STORE_TIMEOUT_MS is 30 s at most). A copy that dies holds its probe until then. */
const probeLeaseMs = 35_000;
/** Each lost round means that another copy has changed the state. */
const maxRounds = 10;

export type SharedBreakerPlace = BreakerPlace & {
  /** The field of the shared record has this value; null when it is missing. */
  see(value: string | null): void;
};

/**
 * The state of one breaker, shared by all copies of the service as one field of a record. This copy decides by its own
 * `state`, which it changes at once and then sends to the others: the field is replaced only if it still is what this copy
 * has seen, otherwise the events are applied again to what another copy has made of it. So the events of all copies
 * have one order, the same for all, and of two probes that start at the same time one is refused.
 *
 * While the record cannot be reached this copy goes on alone, and merges later.
 */
export function createSharedBreakerPlace(options: {
  /** Starts the ids of this copy's calls. */
  copyId: string;
  replace: (expected: string | null, value: string) => ReturnType<SharedRecords['replaceField']>;
  nowMs: () => number;
  onChange: () => void;
}): SharedBreakerPlace {
  const { copyId, replace, nowMs, onChange } = options;
  /** The field as last seen, and the state that it encodes. */
  let seen: { value: string | null; state: BreakerState } = { value: null, state: closedState };
  /** Applied to `state`, and not in the field yet. */
  let unsent: BreakerEvent[] = [];
  /** `state` does not follow from `seen` and `unsent`: the record could not be reached, or has lost the field. */
  let isAlone = false;
  let isSending = false;
  let sending: Promise<void> = Promise.resolve();

  const isInSync = () => unsent.length === 0 && !isAlone;
  const isOwn = (probe: BreakerState['probe']) => probe?.id.startsWith(copyId) ?? false;

  /** Another copy has changed the field, or Redis has lost it or returned to an older value. */
  function adopt(value: string | null): void {
    const state = value === null ? null : decodeBreakerState(value);
    const before = place.state;
    if (state === null) isAlone = !isForgettable(before);
    else {
      isAlone ||= isOlder(state, seen.state);
      place.state = isAlone ? mergeWith(state) : unsent.reduce(afterEvent, state);
    }
    seen = { value, state: state ?? closedState };
    if (place.state !== before) onChange();
  }

  /** The own state is right about the probes of this copy, the shared one about all others. */
  function mergeWith(shared: BreakerState): BreakerState {
    const own = place.state;
    const othersProbe = isOwn(shared.probe) ? null : shared.probe;
    const probe = othersProbe ?? (isOwn(own.probe) ? own.probe : null);
    return mergeBreakerStates({ ...own, probe }, { ...shared, probe });
  }

  async function sendAll(): Promise<void> {
    for (let round = 0; !isInSync(); round++) {
      if (round === maxRounds) throw new Error('other copies were always faster');
      const { state } = place;
      const sentCount = unsent.length;
      const value = encodeBreakerState(state);
      if (value !== seen.value) {
        const { isReplaced, current } = await replace(seen.value, value);
        if (!isReplaced) {
          adopt(current);
          continue;
        }
      }
      seen = { value, state };
      unsent = unsent.slice(sentCount);
      isAlone = false;
    }
  }

  async function send(): Promise<void> {
    isSending = true;
    try {
      await sendAll();
    } catch {
      isAlone = true;
      unsent = [];
    } finally {
      isSending = false;
    }
  }

  function startSending(): void {
    if (!isSending) sending = send();
  }

  const place: SharedBreakerPlace = {
    copyId,
    nowMs,
    state: closedState,
    apply(event) {
      const next = afterEvent(place.state, event);
      if (next === place.state) return;
      place.state = next;
      unsent.push(event);
      startSending();
    },
    settled: () => sending,
    see(value) {
      if (isSending) return;
      // Bounded, so that the open time also ends when the clock of the record was set back.
      seen = { ...seen, state: boundOpenTime(seen.state, nowMs()) };
      if (isInSync() && value === seen.value) place.state = seen.state;
      else adopt(value);
      if (!isInSync()) startSending();
    },
    probeLeaseMs,
  };
  return place;
}

/** Whether the state was left behind: neither a failure nor a success makes these times smaller. */
function isOlder(state: BreakerState, known: BreakerState): boolean {
  const changedAtMs = ({ failedAtMs, succeededAtMs }: BreakerState) => Math.max(failedAtMs, succeededAtMs);
  return changedAtMs(state) < changedAtMs(known);
}
