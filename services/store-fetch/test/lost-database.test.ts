import { AppError } from '@shelfwise/runtime/errors';
import { until } from '../../../testing/until.ts';
import type { CallWithBudget } from '../src/budget/call-with-budget.ts';
import { urgent } from '../src/budget/urgency.ts';
import { createAppStoreSource } from '../src/sources/app-store/app-store-source.ts';
import { createGooglePlaySource } from '../src/sources/google-play/google-play-source.ts';
import type { Endpoint } from '../src/store-health/endpoints.ts';

const options = { signal: new AbortController().signal, urgency: urgent, withSubtitle: true };
const now = () => new Date('2026-11-21T12:00:00Z');

test('without the database of the budgets a request for several Google Play apps fails as a whole, without delay', async () => {
  const requested: Endpoint[] = [];
  const callWithBudget: CallWithBudget = async ({ endpoint }) => {
    requested.push(endpoint);
    throw new AppError('SERVICE_UNAVAILABLE', 'no database');
  };
  const source = createGooglePlaySource({
    callWithBudget,
    baseUrl: 'http://127.0.0.1:9',
    timeoutMs: 100,
    now,
  });
  const appIds = Array.from({ length: 20 }, (_, i) => `com.example.app${i}`);
  const us = { store: 'GPLAY', country: 'US', lang: 'en-US' } as const;
  const listings = source.getListings(us, appIds, options);
  await expect(listings).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(requested.length).toBeLessThanOrEqual(4);
});

test('an app page that fails before its look-up causes no unhandled rejection', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  try {
    const failed: Endpoint[] = [];
    const callWithBudget: CallWithBudget = async ({ endpoint }) => {
      if (endpoint !== 'itunes-page') await until(() => failed.includes('itunes-page'));
      failed.push(endpoint);
      throw new Error(`no ${endpoint}`);
    };
    const url = 'http://127.0.0.1:9';
    const source = createAppStoreSource({
      callWithBudget,
      timeoutMs: 100,
      now,
      urls: { itunes: url, hints: url, apps: url },
    });
    const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
    await expect(source.getListing(us, '700000001', options)).rejects.toThrow('no itunes-lookup');
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});
