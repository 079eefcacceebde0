export type AccountLocks = ReturnType<typeof createAccountLocks>;

/**
 * Runs the changes of one account one at a time within this process, so that a check still holds when its result is
 * written. Between processes, unique indexes and conditional updates decide.
 */
export function createAccountLocks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    async withLock<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
      const mine = (last.get(accountId) ?? Promise.resolve()).then(work, work);
      last.set(accountId, mine);
      try {
        return await mine;
      } finally {
        if (last.get(accountId) === mine) last.delete(accountId);
      }
    },
  };
}
