export type LocksByKey = ReturnType<typeof createLocksByKey>;

/** Runs the work of one key, such as an account, one at a time within this process, in the order of arrival. */
export function createLocksByKey() {
  const last = new Map<string, Promise<unknown>>();
  return {
    async withLock<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
