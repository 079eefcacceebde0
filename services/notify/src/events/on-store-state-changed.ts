import { isStore } from '@shelfwise/facts/stores/store';
import type { StoreStateChanged } from '@shelfwise/proto/store/v1/events';
import { storeAlert } from '../domain/store-alert.ts';
import type { PublishAlerts } from '../publish-alerts.ts';
import type { RuleStore } from '../stores/rule-store.ts';
import type { StoreStateStore } from '../stores/store-state-store.ts';
import type { TrackedAppStore } from '../stores/tracked-app-store.ts';

type Deps = {
  trackedApps: Pick<TrackedAppStore, 'listAccounts'>;
  rules: Pick<RuleStore, 'findEnabled'>;
  storeStates: Pick<StoreStateStore, 'saveNewest'>;
  publishAlerts: PublishAlerts;
};

/**
 * A store cannot be read any more, or can again. Each account that tracks an application there is notified once. Cost: a query for
 * applications and one for rules for each 500 applications.
 */
export function createOnStoreStateChanged({ trackedApps, rules, storeStates, publishAlerts }: Deps) {
  return async ({ store, is_blocked, at, since }: StoreStateChanged): Promise<void> => {
    if (!isStore(store) || !at) throw new Error('the event does not say which store has changed, and when');
    const change = { store, is_blocked, at, since: since ?? at };
    for await (const accountIds of trackedApps.listAccounts(store)) {
      const byAccount = await rules.findEnabled(accountIds, [
        is_blocked ? 'store_blocked' : 'store_recovered',
      ]);
      await publishAlerts([...byAccount.values()].flat().map((rule) => storeAlert(change, rule)));
    }
    await storeStates.saveNewest({ _id: store, is_blocked, at });
  };
}
