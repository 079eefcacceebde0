/**
 * Whether somebody waits for an answer. A reading of the daily run becomes urgent when a caller who waits joins it; it
 * never goes back.
 */
export type Urgency = {
  isUrgent(): boolean;
  /** Told once, when it becomes urgent; never when it is so already. Answers with how to stop listening. */
  onUrgent(listener: () => void): () => void;
};

/** Somebody waits. */
export const urgent: Urgency = { isUrgent: () => true, onUrgent: () => () => {} };

/** Nobody waits: whoever does goes first. */
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
