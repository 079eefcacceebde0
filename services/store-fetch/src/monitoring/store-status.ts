import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { PartState, type PartStatus, type StatusCheck } from '@shelfwise/runtime/process/status';
import type { CallScheduler } from '../budget/call-scheduler.ts';
import type { CallObserver } from '../budget/call-with-budget.ts';
import type { StoreAccess } from '../budget/store-access.ts';
import { type Endpoint, endpoints } from '../store-health/endpoints.ts';
import { type DoubtedStorefront, describeDoubt } from '../stores/doubted-storefront-store.ts';
import { resultPages } from './store-outages.ts';

/** `outcome`: ok or the kind of failure. */
type Outcome = { outcome: string; at: Date };

/** Suspect storefronts that the health page names; of more, their number. */
const maxNamed = 5;

/**
 * Remembers the outcome of the last call to each endpoint, for the health page. A store is degraded when the last call
 * to an endpoint failed, an endpoint's breakers are open on all addresses, or a storefront is suspect. It is never
 * down: the other services still answer from stored data.
 */
export function createStoreStatus(now: () => Date) {
  const lastOutcomes = new Map<Endpoint, Outcome>();
  /** When the failures since the last success began. */
  const failingSince = new Map<Endpoint, Date>();

  /** Absent while result pages are read. The calls of another copy may have opened the breakers, too. */
  function pauseOf(store: Store, { breakers }: Pick<StoreAccess, 'breakers'>): PartStatus['pause'] {
    const endpoint = resultPages[store];
    const open = breakers.openState(endpoint);
    if (!open) return undefined;
    const since = failingSince.get(endpoint) ?? now();
    failingSince.set(endpoint, since);
    return { since, next_try_at: open.until !== null && open.until > now() ? open.until : null };
  }

  function check(
    store: Store,
    access: Pick<StoreAccess, 'breakers' | 'schedulers'>,
    doubted: readonly DoubtedStorefront[],
  ): PartStatus {
    const { breakers, schedulers } = access;
    const storeEndpoints = (Object.keys(endpoints) as Endpoint[]).filter(
      (name) => endpoints[name].store === store,
    );
    const openFailures = new Map(
      storeEndpoints.map((endpoint) => [endpoint, breakers.circuitOpenFailure(endpoint)]),
    );
    const isFailing = storeEndpoints.some(
      (endpoint) =>
        openFailures.get(endpoint) !== null || (lastOutcomes.get(endpoint)?.outcome ?? 'ok') !== 'ok',
    );
    const lastCalls = storeEndpoints.flatMap((endpoint) => {
      const last = lastOutcomes.get(endpoint);
      const failure = openFailures.get(endpoint);
      // The calls of another copy may have opened the breaker.
      if (!last) return failure ? [`${endpoint} ${failure.message}`] : [];
      return [`${formatOutcome(endpoint, last, now())}${failure ? `, ${failure.message}` : ''}`];
    });
    const queued = formatQueued(
      new Set(storeEndpoints.map((endpoint) => schedulers[endpoints[endpoint].budget])),
    );
    const suspect = doubted.filter((storefront) => storefront.store === store);
    return {
      name: storeNames[store],
      state: isFailing || suspect.length > 0 ? PartState.DEGRADED : PartState.OK,
      detail: [
        ...(lastCalls.length > 0 ? lastCalls : ['not called since the start']),
        ...formatSuspect(suspect),
        ...queued,
      ].join('; '),
      is_embedded: false,
      pause: pauseOf(store, access),
    };
  }

  return {
    onCall({ endpoint, outcome }: Parameters<CallObserver['onCall']>[0]) {
      // An abandoned call says nothing about the store.
      if (outcome === 'abandoned') return;
      const at = now();
      lastOutcomes.set(endpoint, { outcome, at });
      if (outcome === 'ok') failingSince.delete(endpoint);
      else if (!failingSince.has(endpoint)) failingSince.set(endpoint, at);
    },

    /** One part of the health page per store, by its name. `listSuspect` lists the suspect storefronts. */
    checks(
      access: Pick<StoreAccess, 'breakers' | 'schedulers'>,
      listSuspect: () => Promise<readonly DoubtedStorefront[]>,
    ): Record<string, StatusCheck> {
      // Without the database they are unknown; the part of the database says so.
      const suspect = () => listSuspect().catch(() => []);
      return {
        [storeNames.ITUNES]: async () => check('ITUNES', access, await suspect()),
        [storeNames.GPLAY]: async () => check('GPLAY', access, await suspect()),
      };
    },
  };
}

function formatOutcome(endpoint: Endpoint, { outcome, at }: Outcome, now: Date): string {
  return `${endpoint} ${outcome} ${formatAge(now.getTime() - at.getTime())} ago`;
}

function formatAge(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function formatSuspect(suspect: readonly DoubtedStorefront[]): string[] {
  if (suspect.length === 0) return [];
  const named = suspect.slice(0, maxNamed).map(describeDoubt);
  const others = suspect.length - named.length;
  const list = [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ');
  return [`suspect, its empty result pages are not believed: ${list}`];
}

function formatQueued(schedulers: ReadonlySet<CallScheduler>): string[] {
  const queued = [...schedulers].map((scheduler) => scheduler.queuedCalls());
  const urgent = queued.reduce((sum, counts) => sum + counts.urgent, 0);
  const daily = queued.reduce((sum, counts) => sum + counts.daily, 0);
  if (urgent + daily === 0) return [];
  const [urgentCalls, dailyCalls] = [nounFor(urgent, 'call'), nounFor(daily, 'call')];
  return [`${urgent} urgent ${urgentCalls} and ${daily} ${dailyCalls} of the daily run queued`];
}
