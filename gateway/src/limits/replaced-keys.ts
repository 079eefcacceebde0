export type ReplacedKeys = ReturnType<typeof createReplacedKeys>;

/** The keys of fewer accounts are replaced in the seconds between the lookup of a call's key and its decision. */
const maxAccounts = 1000;

/**
 * The keys that were replaced in this process. A call with an older key is refused at its decision, even if its account was
 * found just before.
 */
export function createReplacedKeys() {
  /** Ordered by replacement, the oldest first. */
  const versions = new Map<string, number>();
  return {
    add(accountId: string, newVersion: number): void {
      const version = Math.max(newVersion, versions.get(accountId) ?? 0);
      versions.delete(accountId);
      versions.set(accountId, version);
      const [oldest] = versions.keys();
      if (versions.size > maxAccounts && oldest !== undefined) versions.delete(oldest);
    },
    /** Whether `version` is older than the newest one. */
    isReplaced: (accountId: string, version: number) => version < (versions.get(accountId) ?? 0),
  };
}
