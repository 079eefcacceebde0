/** The keys that were replaced in this process: a call that found its account just before is refused at its decision. */
export type ReplacedKeys = {
  add(accountId: string, newVersion: number): void;
  /** Whether `version` is older than the newest one. */
  isReplaced(accountId: string, version: number): boolean;
};

/** The keys of fewer accounts are replaced in the seconds between the lookup of a call's key and its decision. */
const maxAccounts = 1000;

export function createReplacedKeys(): ReplacedKeys {
  /** Ordered by replacement, the oldest first. */
  const versions = new Map<string, number>();
  return {
    add(accountId, newVersion) {
      const version = Math.max(newVersion, versions.get(accountId) ?? 0);
      versions.delete(accountId);
      versions.set(accountId, version);
      const [oldest] = versions.keys();
      if (versions.size > maxAccounts && oldest !== undefined) versions.delete(oldest);
    },
    isReplaced: (accountId, version) => version < (versions.get(accountId) ?? 0),
  };
}
