import { createHarness, type Tracking, trackApp, trackKeywords, us } from './start-tracking.ts';

const { startTracking } = createHarness({ hasBus: false });

const collections = [
  'listings',
  'tracked_apps',
  'keyword_markets',
  'snapshots',
  'ranked_apps',
  'tracked_keywords',
];
const everything = async ({ rows }: Tracking) => JSON.stringify(await Promise.all(collections.map(rows)));

/**
 * Starts a database with one application and keyword from the first source, then replaces the store by the second
 * source.
 */
async function switchSource(before: string, after: string) {
  const first = await startTracking();
  first.store.origin.source = before;
  const appId = await trackApp(first, 'ann');
  await trackKeywords(first, 'ann', appId, ['camera']);
  await first.stop();
  const second = await startTracking({ database: first.database });
  second.store.origin.source = after;
  return { second, appId };
}

test.each([
  ['sample', 'app-store', /readings of the sample catalog, .* reads live stores.*STORE_SOURCE/],
  ['google-play', 'sample', /readings of live stores, .* reads the sample catalog.*STORE_SOURCE/],
])('a database of %s readings takes none of %s', async (before, after, message) => {
  const { second, appId } = await switchSource(before, after);
  const stored = await everything(second);
  const { client, clock } = second;
  await expect(
    client.trackApplication({ account_id: 'bob', storefront: us, app_id: '2002' }),
  ).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED', message: expect.stringMatching(message) });
  expect(await everything(second)).toBe(stored);
  const { results } = await client.trackKeywords({
    account_id: 'ann',
    app_id: appId,
    storefront: us,
    keywords: ['video'],
  });
  expect(results).toMatchObject([{ outcome: { $case: 'error', value: expect.stringMatching(message) } }]);
  clock.at = new Date('2026-03-11T09:00:00Z');
  second.store.origin.source = before;
  const other = await trackApp(second, 'bob');
  second.store.origin.source = after;
  const sameKeyword = { account_id: 'bob', app_id: other, storefront: us, keywords: ['camera'] };
  expect((await client.trackKeywords(sameKeyword)).results).toMatchObject([{ outcome: { $case: 'error' } }]);
  expect(JSON.parse(await everything(second))[3]).toEqual(JSON.parse(stored)[3]);
});
