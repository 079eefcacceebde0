import { type Store, storeNames } from '@shelfwise/facts/store';
import { PartState, type PartStatus, type StatusCheck } from '@shelfwise/runtime/status';
import { type Endpoint, endpoints } from '../call-budget/ask-store.ts';
import type { StoreLog } from '../call-budget/create-ask-store.ts';
import type { Politeness } from '../call-budget/store-access.ts';

type Outcome = { outcome: string; at: Date };

/**
 * Remembers how the last call to each endpoint went, for the health page. A store that cannot be read makes the service
 * degraded, not down: what is stored already can still be read.
 */
export function createStoreHealth(now: () => Date) {
  const last = new Map<Endpoint, Outcome>();

  function check(store: Store, { breakers, turns }: Politeness): PartStatus {
    const ofStore = (Object.keys(endpoints) as Endpoint[]).filter((name) => endpoints[name].store === store);
    const resting = new Map(ofStore.map((endpoint) => [endpoint, breakers.restingOn(endpoint)]));
    const isFailing = ofStore.some(
      (endpoint) => resting.get(endpoint) !== null || (last.get(endpoint)?.outcome ?? 'ok') !== 'ok',
    );
    const told = ofStore.flatMap((endpoint) => {
      const call = last.get(endpoint);
      const rest = resting.get(endpoint);
      return call ? [`${tell(endpoint, call, now())}${rest ? `, ${rest.message}` : ''}`] : [];
    });
    const waiting = tellWaiting(new Set(ofStore.map((endpoint) => turns[endpoints[endpoint].budget])));
    return {
      name: storeNames[store],
      state: isFailing ? PartState.DEGRADED : PartState.OK,
      detail: [...(told.length > 0 ? told : ['not asked since the start']), ...waiting].join('; '),
      is_embedded: false,
    };
  }

  return {
    onCall({ endpoint, outcome }: Parameters<StoreLog['onCall']>[0]) {
      // A caller that gave up says nothing about the store.
      if (outcome !== 'abandoned') last.set(endpoint, { outcome, at: now() });
    },

    /** One part per store, under its name. */
    checks: (politeness: Politeness): Record<string, StatusCheck> => ({
      [storeNames.ITUNES]: async () => check('ITUNES', politeness),
      [storeNames.GPLAY]: async () => check('GPLAY', politeness),
    }),
  };
}

function tell(endpoint: Endpoint, { outcome, at }: Outcome, now: Date): string {
  return `${endpoint} ${outcome} ${tellAge(now.getTime() - at.getTime())} ago`;
}

function tellAge(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function tellWaiting(turns: ReadonlySet<Politeness['turns'][keyof Politeness['turns']]>): string[] {
  const waiting = [...turns].map((each) => each.waiting());
  const urgent = waiting.reduce((sum, each) => sum + each.urgent, 0);
  const daily = waiting.reduce((sum, each) => sum + each.daily, 0);
  return urgent + daily === 0 ? [] : [`${urgent} calls wait for their turn, and ${daily} of the daily run`];
}
