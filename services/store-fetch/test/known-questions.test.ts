import { AppError } from '@shelfwise/runtime/errors';
import type { CallWithBudget } from '../src/budget/call-with-budget.ts';
import { createAppStoreSource } from '../src/sources/app-store/app-store-source.ts';
import { createGooglePlaySource } from '../src/sources/google-play/google-play-source.ts';
import { listKnownQuestions } from '../src/sources/known-questions.ts';
import { endpoints } from '../src/store-health/endpoints.ts';
import type { StoreFailure } from '../src/store-health/store-failure.ts';
import { startFakeStore } from './fake-store/start-fake-store.ts';

test('every endpoint has a known question, which costs no call until it is asked, and which the store answers', async () => {
  const fake = await startFakeStore();
  try {
    const createStores = (callWithBudget: CallWithBudget) => {
      const deps = { callWithBudget, timeoutMs: 60_000, now: () => new Date() };
      const urls = { itunes: fake.url, hints: fake.url, apps: fake.url };
      return {
        ITUNES: createAppStoreSource({ ...deps, urls }),
        GPLAY: createGooglePlaySource({ ...deps, baseUrl: fake.url }),
      };
    };
    const known = listKnownQuestions(createStores);
    expect([...known.keys()].sort()).toEqual(Object.keys(endpoints).sort());
    expect(fake.calls()).toEqual([]);

    const ask = async () => {
      const { signal } = new AbortController();
      const asked = [...known].map(([endpoint, { attempt }]) =>
        attempt({ dispatcher: undefined, signal }).then(
          () => [endpoint, 'answered'],
          // The store has no such app.
          (error) => [endpoint, error instanceof AppError ? 'answered' : (error as StoreFailure).kind],
        ),
      );
      return Object.fromEntries(await Promise.all(asked));
    };
    expect(new Set(Object.values(await ask()))).toEqual(new Set(['answered']));
    expect(fake.calls()).toHaveLength(known.size);
    fake.setFault('blocked');
    expect(new Set(Object.values(await ask()))).toEqual(new Set(['blocked']));
  } finally {
    await fake.stop();
  }
});
