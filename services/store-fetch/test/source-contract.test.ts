import { useDatabase } from '../../../testing/use-database.ts';
import type { CallWithBudget } from '../src/budget/call-with-budget.ts';
import { createAnswerCache } from '../src/cache/answer-cache.ts';
import { storeFetchSchema } from '../src/schema.ts';
import { createAppStoreSource } from '../src/sources/app-store/app-store-source.ts';
import { createGooglePlaySource } from '../src/sources/google-play/google-play-source.ts';
import { createLiveSource } from '../src/sources/live-source.ts';
import { endpoints } from '../src/store-health/endpoints.ts';
import { StoreFailure, storeFetchFailed } from '../src/store-health/store-failure.ts';
import { openLiveSource } from './open-live-source.ts';
import { shareSampleSource } from './share-sample-catalog.ts';
import { describeSource, type SourceHarness } from './source-contract.ts';
import { useFakeStore } from './use-fake-store.ts';

const noon = () => new Date('2026-11-21T12:00:00Z');
const systemTime = () => new Date();
type Database = ReturnType<typeof useDatabase>;
const open = async (url: string, database: Database) =>
  openLiveSource(url, (await database.take()).connection);
const database = useDatabase(storeFetchSchema);

const fake = useFakeStore();

const us = {
  ITUNES: { store: 'ITUNES', country: 'US', lang: 'en-US' },
  GPLAY: { store: 'GPLAY', country: 'US', lang: 'en-US' },
} as const;
const topFree = { category: 'OVERALL', collection: 'free' } as const;

describeSource('the sample', {
  open: async () => ({ source: shareSampleSource({ now: noon }), stop: async () => {} }),
  now: noon,
  answersAs: { ITUNES: 'sample', GPLAY: 'sample' },
  hasPastDays: true,
  isExhaustive: true,
  believesEmptyPages: true,
  knownContent: {
    ITUNES: { storefront: us.ITUNES, term: 'photo editor', prefix: 'pho', chart: topFree },
    GPLAY: { storefront: us.GPLAY, term: 'photo editor', prefix: 'pho', chart: topFree },
  },
});

const live = {
  answersAs: { ITUNES: 'app-store', GPLAY: 'google-play' },
  hasPastDays: false,
} as const;
const fakeContent: SourceHarness['knownContent'] = {
  ITUNES: { storefront: us.ITUNES, term: 'notes', prefix: 'no', chart: topFree },
  GPLAY: { storefront: us.GPLAY, term: 'notes', prefix: 'no', chart: topFree },
};

describeSource('the stores themselves, called immediately', {
  ...live,
  open: async () => ({ source: createStores(fake.url), stop: async () => {} }),
  isExhaustive: true,
  believesEmptyPages: true,
  now: noon,
  knownContent: fakeContent,
});

describeSource('the live source with its budgets and its cache', {
  ...live,
  open: () => open(fake.url, database),
  // Nothing in between knows countries and categories.
  isExhaustive: false,
  believesEmptyPages: false,
  now: systemTime,
  knownContent: fakeContent,
});

const replayUrl = process.env.REPLAY_STORE_URL;
if (replayUrl) {
  // Its own: another source has taken the first one for longer than a test.
  const replayDatabase = useDatabase(storeFetchSchema);
  describeSource('the live source on the store of REPLAY_STORE_URL', {
    ...live,
    open: () => open(replayUrl, replayDatabase),
    isExhaustive: true,
    believesEmptyPages: false,
    now: systemTime,
    knownContent: {
      ITUNES: fakeContent.ITUNES,
      GPLAY: {
        storefront: us.GPLAY,
        term: 'panda',
        prefix: 'pand',
        chart: { category: 'GAME', collection: 'free' },
        recorded: {
          appIds: ['com.google.android.apps.translate', 'com.mojang.minecraftpe'],
          categories: ['GAME'],
        },
      },
    },
  });
}

/** Both stores at one address, without budgets, retries or room in the cache. */
function createStores(url: string) {
  const deps = { callWithBudget: callImmediately, timeoutMs: 60_000, now: noon };
  return createLiveSource({
    stores: {
      ITUNES: createAppStoreSource({ ...deps, urls: { itunes: url, hints: url, apps: url } }),
      GPLAY: createGooglePlaySource({ ...deps, baseUrl: url }),
    },
    cache: createAnswerCache({ maxBytes: 1, now: noon }),
    now: noon,
    onCacheLookup: () => {},
    emptyPages: null,
  });
}

const callImmediately: CallWithBudget = async ({ endpoint, signal }, attempt) => {
  try {
    return await attempt({ dispatcher: undefined, signal });
  } catch (error) {
    throw error instanceof StoreFailure ? storeFetchFailed(endpoints[endpoint].store, error) : error;
  }
};
