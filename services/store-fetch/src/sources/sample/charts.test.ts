import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { shareSampleCatalog } from '../../../test/share-sample-catalog.ts';

const us: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const usPlay: Storefront = { store: 'GPLAY', country: 'US', lang: 'en-US' };

let now = new Date('2026-11-21T12:00:00Z');
const catalog = shareSampleCatalog({ now: () => now });
beforeEach(() => {
  now = new Date('2026-11-21T12:00:00Z');
});

const overall = { category: 'OVERALL', collection: 'free', limit: 200 } as const;

test('the App Store returns at most 100 rows, Google Play 200', () => {
  expect(catalog.chart(us, overall)).toHaveLength(100);
  expect(catalog.chart(usPlay, overall)).toHaveLength(200);
  expect(catalog.chart(us, { ...overall, limit: 5 })).toEqual(catalog.chart(us, overall).slice(0, 5));
});

test('free apps cost nothing, paid apps cost something, and both can earn', () => {
  expect(catalog.chart(us, overall).every(({ price }) => price === 0)).toBe(true);
  expect(catalog.chart(us, { ...overall, collection: 'paid' }).every(({ price }) => price !== 0)).toBe(true);
  const grossing = catalog.chart(us, { ...overall, collection: 'grossing' });
  expect(new Set(grossing.map(({ price }) => price === 0)).size).toBe(2);
  expect(grossing.map((app) => app.app_id)).not.toEqual(catalog.chart(us, overall).map((app) => app.app_id));
});

test('a category contains only its own apps, and "Games" all kinds of games', () => {
  const genreOf = (appId: string) => catalog.listing(us, appId).genre;
  for (const { app_id: appId } of catalog.chart(us, { ...overall, category: '6015' }))
    expect(genreOf(appId)).toBe('Finance');
  for (const { app_id: appId } of catalog.chart(us, { ...overall, category: '6014' }))
    expect(genreOf(appId)).toBe('Games');
  const games = catalog
    .chart(usPlay, { ...overall, category: 'GAME' })
    .map(({ app_id: appId }) => catalog.listing(usPlay, appId).genre);
  expect(new Set(games).size).toBeGreaterThan(8);
  expect(catalog.chart(us, { ...overall, category: 'NO_SUCH_CATEGORY' })).toEqual([]);
});

test('from day to day apps climb, fall and enter, while most of the chart stays', () => {
  for (const storefront of [us, usPlay]) {
    let moved = 0;
    let entered = 0;
    for (let day = 1; day <= 10; day++) {
      const before = chartOn(storefront, day);
      const after = chartOn(storefront, day + 1);
      entered += after.filter((id) => !before.includes(id)).length;
      moved += after.filter((id, index) => before.includes(id) && before.indexOf(id) !== index).length;
      expect(after.filter((id) => before.includes(id)).length).toBeGreaterThanOrEqual(85);
      expect(
        after.slice(0, 5).filter((id) => before.slice(0, 10).includes(id)).length,
      ).toBeGreaterThanOrEqual(4);
    }
    expect(entered).toBeGreaterThanOrEqual(5);
    expect(moved).toBeGreaterThan(300);
  }
});

test('each country has its own charts', () => {
  const german = catalog.chart({ ...us, country: 'DE', lang: 'de-DE' }, overall).map((app) => app.app_id);
  const japanese = catalog.chart({ ...us, country: 'JP', lang: 'ja-JP' }, overall).map((app) => app.app_id);
  expect(german.filter((id) => !japanese.includes(id)).length).toBeGreaterThan(20);
});

function chartOn(storefront: Storefront, day: number): string[] {
  now = new Date(Date.UTC(2026, 10, day, 12));
  return catalog.chart(storefront, { ...overall, limit: 100 }).map((app) => app.app_id);
}
