import type { SharedRecords } from '@shelfwise/runtime/redis/shared-records';
import type { BreakerBacking } from './breaker.ts';
import {
  afterEvent,
  type BreakerEvent,
  type BreakerState,
  breakerStateSchema,
  closedState,
  outdates,
} from './breaker-state.ts';

/** Longer than the longest call of a store (STORE_TIMEOUT_MS is 30 s at most). A copy that dies holds its probe until then. */
const probeLeaseMs = 35_000;
/** Each lost round means that another copy has changed the state. */
const maxRounds = 10;

export type SharedBacking = BreakerBacking & {
  /** The field of the shared record has this value; null when it is missing. */
  see(value: string | null): void;
};

/**
 * The state of one breaker, shared by all copies of the service as one field of a record. This copy changes its own
 * `state` at once, and then replaces the field if it still is what this copy has seen. If it is not, the events are
 * applied again to what another copy has made of it. So the events of all copies have one order, and of two probes
 * that start at the same time one is refused.
 *
 * While the record cannot be reached this copy goes on alone. Later the state that outdates the other one is shared.
 */
export function createSharedBacking(options: {
  /** Starts the ids of this copy's calls. */
  copyId: string;
  replace: (expected: string | null, value: string) => ReturnType<SharedRecords['replaceField']>;
  nowMs: () => number;
  onChange: () => void;
}): SharedBacking {
  const { copyId, replace, nowMs, onChange } = options;
  /** The field as last seen, and the state that should be in it. */
  let seen: { value: string | null; state: BreakerState } = { value: null, state: closedState };
  /** The state is not in the field: the record could not be reached, or has lost it. */
  let isBehind = false;
  /** Applied to `state`, and not in the field yet. */
  let unsent: BreakerEvent[] = [];
  let isSending = false;
  let sending: Promise<void> = Promise.resolve();

  const isInSync = () => unsent.length === 0 && !isBehind;

  function adopt(value: string | null): void {
    const shared = decode(value);
    isBehind = outdates(seen.state, shared);
    seen = { value, state: isBehind ? seen.state : shared };
    backing.state = unsent.reduce(afterEvent, seen.state);
    onChange();
  }

  async function send(): Promise<void> {
    isSending = true;
    for (let round = 0; !isInSync() && round < maxRounds; round++) {
      const { state } = backing;
      const sentCount = unsent.length;
      const value = JSON.stringify(state);
      const answer = await replace(seen.value, value).catch(() => null);
      if (answer?.isReplaced) {
        seen = { value, state };
        unsent = unsent.slice(sentCount);
        isBehind = false;
      } else if (answer) adopt(answer.current);
      else {
        seen = { ...seen, state: backing.state };
        unsent = [];
        isBehind = true;
        break;
      }
    }
    isSending = false;
  }

  function startSending(): void {
    if (!isSending && !isInSync()) sending = send();
  }

  const backing: SharedBacking = {
    copyId,
    nowMs,
    state: closedState,
    apply(event) {
      const next = afterEvent(backing.state, event);
      if (next === backing.state) return;
      backing.state = next;
      unsent.push(event);
      startSending();
    },
    settled: () => sending,
    see(value) {
      if (isSending) return;
      if (value !== seen.value) adopt(value);
      startSending();
    },
    probeLeaseMs,
  };
  return backing;
}

/** What is missing or unreadable is the state of a breaker that never failed. */
function decode(value: string | null): BreakerState {
  try {
    return breakerStateSchema.parse(JSON.parse(value ?? 'null'));
  } catch {
    return closedState;
  }
}
