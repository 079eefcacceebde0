/**
 * Whether somebody waits for an answer. A reading of the daily run becomes urgent when a caller who waits joins it; it
 * never goes back.
 */
export type Urgency = {
  isUrgent(): boolean;
  /** Calls the listener once, when it becomes urgent; never when it is so already. Returns how to stop listening. */
  onUrgent(listener: () => void): () => void;
};

/** A caller waits for the answer. */
export const urgent: Urgency = { isUrgent: () => true, onUrgent: () => () => {} };

/** No caller waits: urgent calls go first. */
export const forDailyRun: Urgency = { isUrgent: () => false, onUrgent: () => () => {} };

/** The urgency of work that several callers may come to share. */
export function createUrgency(): Urgency & { becomeUrgent(): void } {
  const listeners = new Set<() => void>();
  let isUrgent = false;
  return {
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
}

/** As metrics name it. */
export function urgencyLabel(isUrgent: boolean): 'urgent' | 'daily' {
  return isUrgent ? 'urgent' : 'daily';
}
