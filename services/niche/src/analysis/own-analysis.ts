import type { WaitingCallers } from '@shelfwise/runtime/concurrency/waiting-callers';
import type { AppError } from '@shelfwise/runtime/errors';

/** The right to run one analysis, granted in the turn of `callerId`. */
export type Slot = {
  callerId: string;
  /** Fires when the slot was lost, because this copy did not renew it in time. */
  lost: AbortSignal;
  /** Call it once, with the error for those that wait for the analysis in other copies. Never rejects. */
  release(failure: AppError | null): Promise<void>;
};

/** An analysis of this copy that waits for a slot, or has one. */
export type OwnAnalysis = {
  id: string;
  key: string;
  callers: WaitingCallers;
  /** `new`: it has no place in the stored queue yet. */
  state: 'new' | 'waiting' | 'running';
  /** The slot; null when another copy has the same analysis. Rejects when the analysis fails before it has a slot. */
  slot: Promise<Slot | null>;
  /** It has a slot, in the turn of this account. */
  enter(callerId: string): void;
  /** Another copy has the same analysis. */
  giveWay(): void;
  /** It does not wait any longer. */
  fail(error: unknown): void;
  /** It has lost its slot. */
  lose(): void;
};

/**
 * An analysis that waits from now on, until one of its methods is called or `signal` fires.
 * @param deps.leave called when it no longer waits and has no slot
 * @param deps.release frees the slot
 */
export function createOwnAnalysis(
  { id, key, callers, signal }: { id: string; key: string; callers: WaitingCallers; signal: AbortSignal },
  deps: { onCallersChange(): void; leave(): void; release: Slot['release'] },
): OwnAnalysis {
  const lost = new AbortController();
  let resolve: (slot: Slot | null) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const slot = new Promise<Slot | null>((onSlot, onError) => {
    resolve = onSlot;
    reject = onError;
  });
  const giveUp = () => analysis.fail(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  const stopListening = callers.onChange(deps.onCallersChange);

  function stopWaiting(): void {
    signal.removeEventListener('abort', giveUp);
    stopListening();
  }

  const analysis: OwnAnalysis = {
    id,
    key,
    callers,
    state: 'new',
    slot,
    enter(callerId) {
      stopWaiting();
      analysis.state = 'running';
      resolve({ callerId, lost: lost.signal, release: deps.release });
    },
    giveWay() {
      stopWaiting();
      resolve(null);
      deps.leave();
    },
    fail(error) {
      stopWaiting();
      reject(error);
      deps.leave();
    },
    lose: () => lost.abort(new Error('the slot is lost')),
  };
  return analysis;
}
