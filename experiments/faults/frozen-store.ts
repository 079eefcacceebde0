import { setTimeout as sleep } from 'node:timers/promises';
import { setMode, storeAddresses } from '../../testing/system/stand-in.ts';
import { defineFault } from './fault.ts';

const frozenMs = 15_000;

/** Row 16: the App Store accepts connections and does not answer. */
export function createFrozenStore(store: string, prefix: string) {
  const freezeStore = async () => {
    await setMode(store, 'hang');
    await sleep(frozenMs);
    await setMode(store, 'ok');
    return undefined;
  };
  const faults = [
    defineFault(0, 'none, on live stores', () => sleep(30_000), { eventsAwayMs: null }),
    defineFault(16, 'the store frozen for 15 s', freezeStore, {
      awayMs: frozenMs,
      eventsAwayMs: null,
      concerns: ({ name }) => name === 'writes',
    }),
  ];
  return {
    faults,
    settings: {
      ...storeAddresses(store),
      MONGODB_PREFIX: prefix,
      STORE_SOURCE: 'live',
      // The load is far above what the real stores allow one address.
      STORE_ITUNES_PER_MINUTE: '6000',
      STORE_ITUNES_PAGES_PER_MINUTE: '6000',
      STORE_ITUNES_HINTS_PER_MINUTE: '6000',
      STORE_PLAY_PER_MINUTE: '6000',
    },
    async findApps(): Promise<string[]> {
      await setMode(store, 'ok');
      const found = await fetch(`${store}/search?term=photo+editor&country=US&entity=software&limit=20`);
      const { results } = (await found.json()) as { results: { trackId: number }[] };
      return results.map(({ trackId }) => String(trackId));
    },
  };
}
