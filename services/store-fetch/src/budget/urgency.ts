import {
  createWaitingCallers,
  oneCaller,
  type WaitingCallers,
} from '@shelfwise/runtime/concurrency/waiting-callers';

/**
 * Whether a caller waits for the answer, and for whom it is. A reading of the daily run becomes urgent when a waiting
 * caller joins it, and stays urgent.
 */
export type Urgency = {
  isUrgent(): boolean;
  /**
   * Calls the listener once, when the work becomes urgent; never if it already is. Returns a function that removes
   * it.
   */
  onUrgent(listener: () => void): () => void;
  /** For whom the answer is: calls of the same urgency are made in turn. */
  callers: WaitingCallers;
};

export const urgentFor = (callerId: string | undefined): Urgency => ({
  isUrgent: () => true,
  onUrgent: () => () => {},
  callers: oneCaller(callerId),
});

/** A caller waits for the answer, and it is not known which. */
export const urgent: Urgency = urgentFor(undefined);

/**
 * No caller waits for the answer: urgent calls go first. With an account it is work of a job: the daily run goes first, too, and
 * the jobs of accounts take turns.
 */
export const unhurriedFor = (accountId: string | undefined): Urgency => ({
  isUrgent: () => false,
  onUrgent: () => () => {},
  callers: oneCaller(accountId),
});

export const forDailyRun: Urgency = unhurriedFor(undefined);

/** The urgency of work that several callers may share. */
export function createUrgency() {
  const listeners = new Set<() => void>();
  const { callers, join, leave } = createWaitingCallers();
  let isUrgent = false;

  const urgency: Urgency & { becomeUrgent(): void } = {
    callers,
    isUrgent: () => isUrgent,
    onUrgent(listener) {
      if (!isUrgent) listeners.add(listener);
      return () => listeners.delete(listener);
    },
    becomeUrgent() {
      isUrgent = true;
      for (const listener of [...listeners]) listener();
      listeners.clear();
    },
  };

  /** The work is wanted as `other` says, until the returned function is called; it stays urgent. */
  function follow(other: Urgency): () => void {
    const joined = new Set(other.callers.ids());
    for (const callerId of joined) join(callerId);
    const stopFollowing = other.callers.onChange((callerId, change) => {
      if (change === 'joined' && !joined.has(callerId)) {
        joined.add(callerId);
        join(callerId);
      } else if (change === 'left' && joined.delete(callerId)) leave(callerId);
    });
    if (other.isUrgent()) urgency.becomeUrgent();
    const stopListening = other.onUrgent(urgency.becomeUrgent);
    return () => {
      stopFollowing();
      stopListening();
      for (const callerId of joined) leave(callerId);
      joined.clear();
    };
  }

  return { ...urgency, follow };
}

export function urgencyLabel(isUrgent: boolean): 'urgent' | 'daily' {
  return isUrgent ? 'urgent' : 'daily';
}
