import type { Store } from '@shelfwise/facts/stores/store';
import { utcDay } from '@shelfwise/runtime/day';
import { type Alert, noEvidence } from './alert.ts';
import type { Rule } from './rule.ts';

/** A store that cannot be read any more, or can again. */
export type StoreChange = {
  store: Store;
  is_blocked: boolean;
  at: Date;
  /** when its failures began */
  since: Date;
};

/** What a rule says about a store: one alert, however many keywords the account tracks there. */
export function storeAlert({ store, at, since }: StoreChange, rule: Rule): Alert {
  return {
    ...noEvidence,
    account_id: rule.account_id,
    rule_id: rule.id,
    kind: rule.kind,
    threshold: null,
    app: null,
    day_before: utcDay(since),
    day_after: utcDay(at),
    store,
  };
}
