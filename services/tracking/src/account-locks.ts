export type AccountLocks = ReturnType<typeof createAccountLocks>;

/**
 * One change at a time per account, within this process: what is checked still holds when it is written. Between
 * processes the unique indexes and conditional updates decide.
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
