import { thresholds } from '@shelfwise/facts/alerts/alert-kinds';
import type { LocksByKey } from '@shelfwise/runtime/concurrency/locks-by-key';
import { defaultKinds } from './domain/alert-kind.ts';
import type { AccountStore } from './stores/account-store.ts';
import type { RuleStore } from './stores/rule-store.ts';

export type GiveDefaultRules = ReturnType<typeof createGiveDefaultRules>;

/**
 * Gives an account its first rules, once: those that it deletes do not come back. A crash in between leaves some; the next call
 * adds the others.
 */
export function createGiveDefaultRules(deps: {
  accounts: Pick<AccountStore, 'findGivenKinds' | 'recordGivenKinds'>;
  rules: Pick<RuleStore, 'createDefaults'>;
  locks: LocksByKey;
  now: () => Date;
}) {
  const { accounts, rules, locks, now } = deps;
  return (accountId: string): Promise<void> =>
    locks.withLock(accountId, async () => {
      const given = await accounts.findGivenKinds(accountId);
      const missing = defaultKinds.filter((kind) => !given.includes(kind));
      if (missing.length === 0) return;
      const fresh = missing.map((kind) => ({
        account_id: accountId,
        kind,
        app_id: null,
        threshold: thresholds[kind]?.usual ?? null,
        keywords: 'all' as const,
        channels: [],
        is_enabled: true,
      }));
      await rules.createDefaults(fresh, now());
      await accounts.recordGivenKinds(accountId, defaultKinds);
    });
}
