import type { StoreTrouble } from '@shelfwise/dashboard/page-data';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { PartState, type PartStatus } from '@shelfwise/runtime/process/status';
import type { Clients } from '../clients.ts';

/** What a page says of the stores. `isSample`: whether the data is the fictional catalog; null: not known. */
export type StoreState = { isSample: boolean | null; troubles: StoreTrouble[] };

const keptMs = 5000;
const statusMs = 1000;

/**
 * The state of the stores, as their service says it, without the details that are for operators. Asked every five seconds at
 * most, however many pages are shown, and whether or not the service answers.
 */
export function createStoreState(
  storeFetch: Pick<Clients['status'][string], 'getStatus'> | undefined,
  monotonicMs: () => number,
): () => Promise<StoreState> {
  const flights = createSingleflight<StoreState>();
  const neverLeaves = new AbortController().signal;
  let kept: { state: StoreState; at: number } | null = null;

  async function ask(): Promise<StoreState> {
    // A deadline is compared with the real clock, not with the injected one.
    const deadline = new Date(Date.now() + statusMs);
    const { parts } = (await storeFetch?.getStatus({}, { requestId: 'dashboard', deadline })) ?? {
      parts: [],
    };
    const stateOf = (name: string) => parts.find((part) => part.name === name);
    const stores = Object.keys(storeNames) as Store[];
    return {
      isSample: stateOf('store source')?.detail?.startsWith('sample') ?? null,
      troubles: stores.flatMap((store) => {
        const part = stateOf(storeNames[store]);
        return part && part.state !== PartState.OK ? [toTrouble(store, part.pause)] : [];
      }),
    };
  }

  async function read(): Promise<StoreState> {
    const unknown: StoreState = {
      isSample: kept?.state.isSample ?? null,
      troubles: [toTrouble('unknown', null)],
    };
    const state = await ask().catch(() => unknown);
    kept = { state, at: monotonicMs() };
    return state;
  }

  return async () => {
    if (kept && monotonicMs() - kept.at < keptMs) return kept.state;
    return flights.join('state', neverLeaves, read);
  };
}

function toTrouble(store: StoreTrouble['store'], pause: PartStatus['pause']): StoreTrouble {
  return {
    store,
    blockedSince: pause?.since?.toISOString() ?? null,
    nextTryAt: pause?.next_try_at?.toISOString() ?? null,
  };
}
