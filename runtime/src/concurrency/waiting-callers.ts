/** Who waits for a piece of work that several callers may share. There is always at least one. */
export type WaitingCallers = {
  /** Each caller once, the one that has waited longest first. */
  ids(): readonly string[];
  /** Calls the listener after each change. Returns a function that removes it. */
  onChange(listener: (callerId: string, change: 'joined' | 'left') => void): () => void;
};

/** The caller of work that is done for no one in particular. */
export const background = '';

/** Work that one caller waits for. */
export function oneCaller(callerId: string = background): WaitingCallers {
  return { ids: () => [callerId], onChange: () => () => {} };
}

/** Work that callers join and leave, each any number of times. Before the first one it is background work. */
export function createWaitingCallers() {
  /** How often each caller waits. */
  const counts = new Map<string, number>();
  const listeners = new Set<(callerId: string, change: 'joined' | 'left') => void>();
  const notify = (callerId: string, change: 'joined' | 'left') => {
    for (const listener of [...listeners]) listener(callerId, change);
  };

  const callers: WaitingCallers = {
    ids: () => (counts.size === 0 ? [background] : [...counts.keys()]),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    callers,

    join(callerId: string): void {
      const count = counts.get(callerId) ?? 0;
      counts.set(callerId, count + 1);
      if (count === 0) notify(callerId, 'joined');
    },

    /** To be called once for each `join`. */
    leave(callerId: string): void {
      const count = counts.get(callerId) ?? 0;
      if (count > 1) counts.set(callerId, count - 1);
      else if (counts.delete(callerId)) notify(callerId, 'left');
    },
  };
}
