export type AccountLocks = ReturnType<typeof createAccountLocks>;

/**
 * Runs the changes of one account one at a time within this process, so that its calls do not compete for documents. No
 * answer depends on it: unique indexes, conditional updates and `PlanReservations` decide, also between copies.
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
