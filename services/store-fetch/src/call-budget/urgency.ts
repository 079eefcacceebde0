/**
 * Whether a caller waits for the answer. A reading of the daily run becomes urgent when a waiting caller joins it,
 * and stays urgent.
 */
export type Urgency = {
  isUrgent(): boolean;
  /**
   * Calls the listener once, when the work becomes urgent; never if it already is. Returns a function that removes
   * it.
   */
  onUrgent(listener: () => void): () => void;
};

/** A caller waits for the answer. */
export const urgent: Urgency = { isUrgent: () => true, onUrgent: () => () => {} };

/** No caller waits for the answer: urgent calls go first. */
export const forDailyRun: Urgency = { isUrgent: () => false, onUrgent: () => () => {} };

/** The urgency of work that several callers may share. */
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

/** The name of the urgency in metrics. */
export function urgencyLabel(isUrgent: boolean): 'urgent' | 'daily' {
  return isUrgent ? 'urgent' : 'daily';
}
