import { type Store, stores } from '@shelfwise/facts/stores/store';
import { callWithin } from '../../../testing/call-within.ts';
import { createDoubtedStorefrontStore } from '../src/stores/doubted-storefront-store.ts';
import { createSearchTermStore, newSearchTerm } from '../src/stores/search-term-store.ts';
import { useFakeStore } from './use-fake-store.ts';
import { requests, storefront, useService } from './use-service.ts';

const { connect, openLiveSource } = useService();
const minute = 60_000;
const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const unproven = {
  code: 'STORE_FETCH_FAILED',
  message: expect.stringMatching(/^(The App Store|Google Play) shows no results for this term/),
};

const fake = useFakeStore();
let at: Date;
const now = () => at;
const advance = (ms: number) => {
  at = new Date(at.getTime() + ms);
};
beforeEach(() => {
  at = new Date('2026-11-21T12:00:00Z');
});

/** Starts a copy of the service with an empty cache. */
async function start(store: Store, isRemote = false) {
  const live = await openLiveSource(fake.url, { now });
  const { client, status, connection } = await connect(live.source, { checks: live.checks, isRemote });
  const search = (term: string, more: { had_results?: boolean } = {}) =>
    client.searchApps({ ...requests.searchApps, storefront: storefront(store), term, ...more }, callWithin());
  const healthOf = async (name: string) =>
    (await status.getStatus({}, callWithin())).parts.find((part) => part.name === name);
  return { search, healthOf, metrics: live.metrics, connection };
}

const paths = { ITUNES: '/search', GPLAY: '/store/search' } as const;
const names = { ITUNES: 'App Store', GPLAY: 'Google Play' } as const;
const makeEmpty = (store: Store, rate = 1) => fake.setFault('empty-search', { only: paths[store], rate });

describe.each(stores)('%s', (store) => {
  test('a store that shows empty pages for terms with results: no page is believed, on any day', async () => {
    const { search, healthOf } = await start(store);
    const { apps, is_suspect: isSuspect } = await search('notes');
    expect(isSuspect).toBe(false);
    makeEmpty(store);
    advance(12 * 60 * minute);
    for (let look = 0; look < 12; look++) {
      advance(5 * 60 * minute);
      await expect(search('notes', { had_results: apps.length > 0 })).rejects.toMatchObject(unproven);
      await expect(search('recipes')).rejects.toMatchObject(unproven);
      expect(await healthOf(names[store])).toMatchObject({
        state: 'DEGRADED',
        detail: expect.stringContaining(
          'suspect, its empty result pages are not believed: US (empty-canary)',
        ),
      });
    }
    fake.setFault('ok');
    expect(await search('notes')).toMatchObject({ apps, is_suspect: true });
  });

  test('copies share the looks and the suspect storefronts', async () => {
    const one = await start(store);
    const two = await start(store);
    await one.search('notes');
    await expect(one.search('zzqxjv')).rejects.toMatchObject(unproven);
    advance(10 * minute);
    expect((await two.search('zzqxjv')).apps).toEqual([]);
    makeEmpty(store);
    await expect(one.search('recipes')).rejects.toMatchObject(unproven);
    expect(await two.healthOf(names[store])).toMatchObject({ state: 'DEGRADED' });
    fake.setFault('ok');
    expect((await two.search('notes')).is_suspect).toBe(true);
  });
});

test('the mark of an unproven page arrives over gRPC', async () => {
  const { search } = await start('ITUNES', true);
  await search('notes');
  await expect(search('zzqxjv')).rejects.toMatchObject({ ...unproven, isUnproven: true });
  makeEmpty('ITUNES');
  await expect(search('recipes')).rejects.toMatchObject({ ...unproven, isUnproven: false });
});

test('metrics count empty pages, canaries and signs', async () => {
  const { search, metrics } = await start('ITUNES');
  await search('notes');
  await expect(search('zzqxjv')).rejects.toMatchObject(unproven);
  advance(10 * minute);
  await search('zzqxjv');
  makeEmpty('ITUNES');
  await expect(search('recipes')).rejects.toMatchObject(unproven);
  const measured = async (name: string) =>
    (await metrics.registry.getSingleMetricAsString(name))
      .split('\n')
      .filter((line) => !line.startsWith('#'));
  expect(await measured('shelfwise_store_empty_pages_total')).toEqual([
    'shelfwise_store_empty_pages_total{store="ITUNES",outcome="unproven"} 1',
    'shelfwise_store_empty_pages_total{store="ITUNES",outcome="believed"} 1',
    'shelfwise_store_empty_pages_total{store="ITUNES",outcome="suspect"} 1',
  ]);
  expect(await measured('shelfwise_store_canaries_total')).toEqual([
    'shelfwise_store_canaries_total{store="ITUNES",result="answered"} 2',
    'shelfwise_store_canaries_total{store="ITUNES",result="empty"} 1',
  ]);
  expect(await measured('shelfwise_store_doubt_signs_total')).toContain(
    'shelfwise_store_doubt_signs_total{store="ITUNES",sign="empty-canary"} 1',
  );
});

describe('what is remembered', () => {
  test('of terms: the most recent with results first, and nothing for longer than it is kept', async () => {
    const { connection } = await start('ITUNES');
    const terms = createSearchTermStore(connection);
    for (const [index, term] of ['a', 'b', 'c'].entries())
      await terms.save(us, { ...newSearchTerm(term), results_at: new Date(at.getTime() + index) }, at);
    await terms.save(us, { ...newSearchTerm('empty'), looks: [at] }, at);
    await terms.save({ ...us, store: 'GPLAY' }, { ...newSearchTerm('d'), results_at: at }, at);
    const known = await terms.listWithResults(us, new Date(at.getTime() + 1), 10);
    expect(known.map(({ term }) => term)).toEqual(['c', 'b']);
    expect(await terms.find(us, 'empty')).toMatchObject({ looks: [at], last_size: null });
    expect(await terms.find(us, 'other')).toBeNull();
    expect(await terms.deleteBefore(at)).toBe(0);
    expect(await terms.deleteBefore(new Date(at.getTime() + 1))).toBe(5);
    expect(await terms.find(us, 'a')).toBeNull();
  });

  test('of storefronts: a sign counts good pages from 0 again, and only one copy makes a probe', async () => {
    const { connection } = await start('ITUNES');
    const storefronts = createDoubtedStorefrontStore(connection);
    const later = (ms: number) => new Date(at.getTime() + ms);
    expect(await storefronts.addGoodPage(us, at)).toBeNull();
    await storefronts.saveShrunk(us, [{ term: 'notes', at }]);
    expect(await storefronts.find(us)).toMatchObject({ is_suspect: false, shrunk: [{ term: 'notes', at }] });
    await storefronts.addSign(us, 'shrunk', at);
    expect(await storefronts.addGoodPage(us, at)).toBeNull();
    expect(await storefronts.addGoodPage(us, later(1))).toMatchObject({ good_pages: 1, shrunk: [] });
    await storefronts.addSign(us, 'empty-canary', later(2));
    await storefronts.clear(us, at);
    expect(await storefronts.listSuspect(10)).toMatchObject([
      { sign: 'empty-canary', suspect_since: at, last_sign_at: later(2), good_pages: 0 },
    ]);
    expect(await storefronts.claimProbe(us, later(3), at)).toBe(true);
    expect(await storefronts.claimProbe(us, later(4), at)).toBe(false);
    expect(await storefronts.claimProbe(us, later(5), later(3))).toBe(true);
    await storefronts.clear(us, later(2));
    expect(await storefronts.listSuspect(10)).toEqual([]);
    expect(await storefronts.claimProbe(us, later(9), later(9))).toBe(false);
  });
});
