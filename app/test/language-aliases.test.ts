import { startFakeStore } from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
import { createApi } from '../../testing/system/api.ts';
import { live, useSystems } from './use-systems.ts';

const { start } = useSystems();

jest.setTimeout(120_000);

/**
 * Tracks an app of Google Play under one tag of English, and sends everything else under another. Returns the number of
 * calls that the store got for the calls under other tags.
 */
async function goThrough(
  { url, key }: { url: string; key: string | null },
  appId: string,
  term: string,
  countCalls: () => number,
): Promise<number> {
  const api = createApi(url, key ?? '');
  const market = (lang: string) => ({ store: 'GPLAY', country: 'US', lang });
  const query = (fields: Record<string, string>) => new URLSearchParams(fields);

  const added = await api('POST', '/applications', { app_id: appId, ...market('en') });
  const id: number = added.body.data.id;
  const tracked = await api('POST', '/keywords', { app_id: id, keywords: [term], ...market('en-US') });
  expect(tracked.body.data.results).toMatchObject([{ success: expect.any(String) }]);
  const [{ keyword_id: keywordId }] = (await api('GET', `/keywords?app_id=${id}`)).body.data;

  const before = countCalls();
  for (const lang of ['en', 'en-US', 'en-Latn-US'])
    expect(await api('POST', '/applications', { app_id: appId, ...market(lang) })).toMatchObject({
      status: 409,
      body: { code: 'DUPLICATE', details: { id } },
    });
  const again = await api('POST', '/keywords', { app_id: id, keywords: [term], ...market('en') });
  expect(again.body.data.results).toMatchObject([{ error: expect.stringMatching(/already tracked/) }]);
  const calls = countCalls() - before;

  const rows = (await api('GET', '/keywords')).body.data;
  expect(rows).toMatchObject([{ keyword_id: keywordId, ...market('en-US') }]);
  const inspected = await api('GET', `/keywords/inspect?${query({ keyword: term, ...market('en') })}`);
  expect(inspected.body.data).toMatchObject({
    ...market('en-US'),
    is_tracked: true,
    user_tracking: [{ app_id: id }],
  });
  const british = await api('POST', '/applications', { app_id: appId, ...market('en-GB') });
  expect(british).toMatchObject({ status: 200 });
  expect(british.body.data.id).not.toBe(id);
  const other = await api('POST', '/keywords', { app_id: id, keywords: [term], ...market('en-GB') });
  expect(other).toMatchObject({ status: 400, body: { error: "lang must be the app's own: en-US" } });
  return calls;
}

test('on the sample, tags with which the store is asked the same are one application and one keyword', async () => {
  await goThrough(await start(), 'com.example.noralistudio.dailyotter', 'habit tracker', () => 0);
});

test('on a live store, a repeated call under another tag reads nothing', async () => {
  const store = await startFakeStore();
  try {
    const appId = 'example.invented.play1';
    // Background work reads other apps and words, and the page of this term is cached for it.
    const countCalls = () =>
      store.calls().filter(({ query }) => query.id === appId || query.q === 'notes').length;
    expect(await goThrough(await start(live(store.url)), appId, 'notes', countCalls)).toBe(0);
    expect(countCalls()).toBeGreaterThanOrEqual(2);
  } finally {
    await store.stop();
  }
});
