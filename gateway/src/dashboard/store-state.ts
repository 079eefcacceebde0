import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { PartState } from '@shelfwise/runtime/process/status';
import type { Clients } from '../clients.ts';

/** What a page says of the stores. */
export type StoreState = {
  /** Whether the data is the fictional catalog. */
  isSample: boolean;
  /** A sentence for each store that cannot be read as usual. */
  troubles: string[];
};

const keptMs = 5000;
const statusMs = 1000;

/** The state of the stores, as their service says it. Asked every five seconds at most, however many pages are shown. */
export function createStoreState(
  storeFetch: Clients['status'][string] | undefined,
  monotonicMs: () => number,
): () => Promise<StoreState> {
  const flights = createSingleflight<StoreState>();
  let kept: { state: StoreState; at: number } | null = null;

  async function read(): Promise<StoreState> {
    // A deadline is compared with the real clock, not with the injected one.
    const deadline = new Date(Date.now() + statusMs);
    const { parts = [] } = (await storeFetch?.getStatus({}, { requestId: 'dashboard', deadline })) ?? {};
    const source = parts.find(({ name }) => name === 'store source');
    const state = {
      isSample: source?.detail?.startsWith('sample') ?? false,
      troubles: parts
        .filter((part) => part !== source && part.state !== PartState.OK && part.detail)
        .map(({ name, detail }) => `${name}: ${detail}`),
    };
    kept = { state, at: monotonicMs() };
    return state;
  }

  return async () => {
    if (kept && monotonicMs() - kept.at < keptMs) return kept.state;
    const { signal } = new AbortController();
    return flights.join('state', signal, read).catch(() => kept?.state ?? { isSample: false, troubles: [] });
  };
}
