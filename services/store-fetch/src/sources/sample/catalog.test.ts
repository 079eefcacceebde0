import { categories } from '@shelfwise/facts/stores/categories';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { shareSampleCatalog } from '../../../test/share-sample-catalog.ts';
import type { Listing } from '../../source.ts';
import { createSampleCatalog } from './catalog.ts';
import { releaseShownOn } from './releases.ts';

const noon = (day: string) => new Date(`${day}T12:00:00Z`);
const catalogOn = (day: string) => shareSampleCatalog({ now: () => noon(day) });
const catalog = catalogOn('2026-11-21');
/** Not shared: it starts without texts and indexes. */
const newCatalogAt = (time: string) => createSampleCatalog({ now: () => new Date(time) });
const atMidnight = newCatalogAt('2026-11-21T00:00:00Z');
const storefronts: Storefront[] = [
  { store: 'ITUNES', country: 'US', lang: 'en-US' },
  { store: 'GPLAY', country: 'US', lang: 'en-US' },
  { store: 'ITUNES', country: 'DE', lang: 'de-DE' },
  { store: 'GPLAY', country: 'JP', lang: 'ja-JP' },
  { store: 'ITUNES', country: 'FR', lang: 'fr-FR' },
  { store: 'GPLAY', country: 'ES', lang: 'es-ES' },
  { store: 'ITUNES', country: 'BR', lang: 'pt-BR' },
  { store: 'GPLAY', country: 'IS', lang: 'is' },
];
const [us, usPlay] = storefronts as [Storefront, Storefront];

const readListings = new Map<string, Listing[]>();

/** All apps that a storefront shows today. */
function listingsOf(storefront: Storefront): Listing[] {
  const key = Object.values(storefront).join();
  const known = readListings.get(key) ?? listingsIn(catalog, storefront);
  readListings.set(key, known);
  return known;
}

/** All apps that a storefront of this catalog shows. */
function listingsIn(of: typeof catalog, storefront: Storefront): Listing[] {
  return of.apps(storefront.store).flatMap(({ appId }) => {
    try {
      return [of.listing(storefront, appId)];
    } catch (error) {
      if (error instanceof AppError && error.code === 'APP_NOT_FOUND') return [];
      throw error;
    }
  });
}

test('there are well over 1,500 apps, in both stores, and more than 20 categories in each', () => {
  expect(listingsOf(us).length).toBeGreaterThan(1_500);
  expect(listingsOf(usPlay).length).toBeGreaterThan(1_500);
  for (const storefront of [us, usPlay]) {
    const genres = new Set(listingsOf(storefront).map(({ genre }) => genre));
    expect(genres.size).toBeGreaterThan(20);
  }
});

test('every chart category of both stores has apps', () => {
  for (const { store } of [us, usPlay]) {
    const storefront = { store, country: 'US', lang: 'en-US' };
    for (const { key } of categories[store]) {
      const free = catalog.chart(storefront, { category: key, collection: 'free', limit: 100 });
      expect([key, free.length > 5]).toEqual([key, true]);
    }
  }
});

test('two catalogs of the same day are equal, whatever was requested before', () => {
  const other = atMidnight;
  other.search(us, 'weather', 10);
  for (const storefront of storefronts) {
    const chart = { category: 'OVERALL', collection: 'grossing', limit: 100 } as const;
    expect(other.chart(storefront, chart)).toEqual(catalog.chart(storefront, chart));
    expect(other.search(storefront, 'photo editor', 50)).toEqual(
      catalog.search(storefront, 'photo editor', 50),
    );
    expect(other.suggest(storefront, 'a', 10)).toEqual(catalog.suggest(storefront, 'a', 10));
  }
  expect(JSON.stringify(listingsIn(other, us))).toBe(JSON.stringify(listingsOf(us)));
});

test('the hour of the day changes nothing', () => {
  const early = atMidnight;
  const late = newCatalogAt('2026-11-21T23:59:59.999Z');
  expect(JSON.stringify(listingsIn(early, us))).toBe(JSON.stringify(listingsIn(late, us)));
  expect(early.search(us, 'habit tracker', 100)).toEqual(late.search(us, 'habit tracker', 100));
});

test('texts respect the limits of the stores and are never empty', () => {
  for (const storefront of storefronts) {
    const subtitleLimit = storefront.store === 'ITUNES' ? 30 : 80;
    const wrong = listingsOf(storefront).filter(
      ({ title, subtitle, description, developer_name: developerName }) =>
        !isWithin(title ?? '', 2, 30) ||
        (subtitle !== '' && !isWithin(subtitle ?? '', 2, subtitleLimit)) ||
        !isWithin(description ?? '', 150, 1_500) ||
        !isWithin(developerName ?? '', 2, 64) ||
        /[{}]|undefined/.test(`${title}${subtitle}${description}`),
    );
    expect(wrong).toEqual([]);
  }
});

function isWithin(text: string, least: number, most: number): boolean {
  return text === text.trim() && text.length >= least && text.length <= most;
}

test('ratings and scores resemble a real store: a few giants, many small apps, some without ratings', () => {
  const listings = listingsOf(us);
  const isPlausible = ({ score, ratings }: Listing) =>
    ratings === 0 ? score === null : (ratings ?? -1) > 0 && (score ?? 0) >= 1 && (score ?? 0) <= 5;
  expect(listings.filter((listing) => !isPlausible(listing))).toEqual([]);
  const withRatings = (least: number) => listings.filter(({ ratings }) => (ratings ?? 0) >= least).length;
  expect(withRatings(1_000_000)).toBeGreaterThan(2);
  expect(withRatings(1_000_000)).toBeLessThan(20);
  expect(listings.length - withRatings(100)).toBeGreaterThan(listings.length / 5);
  expect(listings.length - withRatings(1)).toBeGreaterThan(20);
  expect(listings.filter(({ score }) => score !== null && score < 4).length).toBeGreaterThan(100);
});

test('some apps have been abandoned for years, some are new, most are maintained', () => {
  const today = noon('2026-11-21').getTime();
  const ages = listingsOf(us).map(
    ({ updated_at: updatedAt }) => (today - (updatedAt?.getTime() ?? 0)) / 86_400_000,
  );
  expect(ages.filter((days) => days > 730).length).toBeGreaterThan(50);
  expect(ages.filter((days) => days < 90).length).toBeGreaterThan(ages.length / 2);
  const released = listingsOf(us).map(
    ({ released_at: releasedAt }) => (today - (releasedAt?.getTime() ?? 0)) / 86_400_000,
  );
  expect(released.filter((days) => days < 60).length).toBeGreaterThan(5);
});

test('over 60 days versions, ratings and titles change, ratings never fall, and no date is in the future', () => {
  const before = new Map(listingsIn(catalogOn('2026-09-22'), us).map((listing) => [listing.app_id, listing]));
  const changed = { version: 0, title: 0, subtitle: 0, description: 0, screenshots: 0, ratings: 0 };
  const updatedAt = (listing: Listing) => listing.updated_at?.getTime() ?? Number.NaN;
  const wrong: unknown[] = [];
  for (const after of listingsOf(us)) {
    const earlier = before.get(after.app_id);
    if (!(updatedAt(after) < noon('2026-11-21').getTime())) wrong.push(['in the future', after]);
    if (!earlier) continue;
    if (!((after.ratings ?? -1) >= (earlier.ratings ?? 0))) wrong.push(['fewer ratings', earlier, after]);
    if (!(updatedAt(after) >= updatedAt(earlier))) wrong.push(['updated before', earlier, after]);
    for (const field of Object.keys(changed) as (keyof typeof changed)[]) {
      if (JSON.stringify(after[field]) === JSON.stringify(earlier[field])) continue;
      changed[field]++;
      if (field !== 'ratings' && after.version === earlier.version)
        wrong.push(['same version', field, after]);
    }
  }
  expect(wrong).toEqual([]);
  expect(changed.version).toBeGreaterThan(500);
  expect(changed.ratings).toBeGreaterThan(1_000);
  for (const text of ['title', 'subtitle', 'description', 'screenshots'] as const) {
    expect([text, changed[text] > 20, changed[text] < changed.version]).toEqual([text, true, true]);
  }
});

test('an old version of an app never returns, and each version has its own name', () => {
  const day = Date.parse('2026-11-21') / 86_400_000;
  for (const app of catalog.apps('GPLAY').slice(0, 100)) {
    const shown = Array.from({ length: 400 }, (_, at) => releaseShownOn(app, day - 400 + at)).filter(
      (release) => release !== null,
    );
    expect(shown).toEqual([...shown].sort((a, b) => a.releasedAt.getTime() - b.releasedAt.getTime()));
    expect(new Set(shown.map(({ version }) => version)).size).toBe(
      new Set(shown.map(({ number }) => number)).size,
    );
  }
});

test('an app that is not sold in a country is not found there; that applies to a large minority', () => {
  const everywhere = catalog.apps('ITUNES').length;
  const inIceland = listingsOf({ store: 'ITUNES', country: 'IS', lang: 'en-US' });
  expect(inIceland.length).toBeGreaterThan(everywhere * 0.4);
  const missing = listingsOf(us).filter(
    ({ app_id: appId }) => !inIceland.some((listing) => listing.app_id === appId),
  );
  expect(missing.length).toBeGreaterThan(200);
  const [first] = missing;
  expect(() =>
    catalog.listing({ store: 'ITUNES', country: 'IS', lang: 'en-US' }, first?.app_id ?? ''),
  ).toThrow(
    expect.objectContaining({
      code: 'APP_NOT_FOUND',
      message: `The App Store has no app ${first?.app_id} in IS.`,
    }),
  );
});

test('an app that is released tomorrow is not found today', () => {
  const future = catalog
    .apps('ITUNES')
    .filter((app) => app.releasedDay > noon('2026-11-21').getTime() / 86_400_000);
  expect(future.length).toBeGreaterThan(100);
  for (const { appId } of future) expect(() => catalog.listing(us, appId)).toThrow('no app');
});

test('a page has exactly the fields that pages of its store have', () => {
  const some = (storefront: Storefront) => listingsOf(storefront).slice(0, 300);
  for (const listing of some(us)) {
    expect(listing).toMatchObject({ installs: null, has_video: null, currency: 'USD' });
    expect(listing.languages).toContain('en');
    expect(categories.ITUNES).toContainEqual({ key: listing.genre_key, label: listing.genre });
  }
  for (const listing of some(usPlay)) {
    expect(listing.installs).toBeGreaterThanOrEqual(1);
    expect(listing).toMatchObject({ languages: [], has_video: expect.any(Boolean) });
    expect(categories.GPLAY.map(({ key }) => key)).toContain(listing.genre_key);
  }
});

test('ids are unique and every address and package is fictional', () => {
  for (const store of stores) {
    const apps = catalog.apps(store);
    expect(new Set(apps.map(({ appId }) => appId)).size).toBe(apps.length);
    expect(new Set(apps.map(({ bundleId }) => bundleId)).size).toBe(apps.length);
    if (store === 'ITUNES') for (const { appId } of apps) expect(appId).toMatch(/^90\d{8}$/);
  }
  const listings = [...listingsOf(us), ...listingsOf(usPlay)];
  expect(
    listings.filter(
      ({ bundle_id: bundleId }) => !/^com\.example\.[a-z0-9]+\.[a-z0-9]+$/.test(bundleId ?? ''),
    ),
  ).toEqual([]);
  const addresses = listings.flatMap(({ url, icon, screenshots }) => [url, icon, ...screenshots]);
  expect(addresses.filter((address) => !address?.startsWith('https://sample.example/'))).toEqual([]);
});

test('many brands are in both stores under one name', () => {
  const names = (store: Store) => new Set(catalog.apps(store).map(({ brand }) => brand.name));
  const onPlay = names('GPLAY');
  const both = [...names('ITUNES')].filter((name) => onPlay.has(name));
  expect(both.length).toBeGreaterThan(1_000);
});

test('German, French, Spanish, Portuguese and Japanese storefronts show listings in their language', () => {
  const words = {
    DE: /\b(und|der|die|für)\b/,
    FR: /\b(et|les|vos|pour)\b/,
    ES: /\b(y|los|para|sin)\b/,
    BR: /\b(e|os|para|sem)\b/,
    JP: /[ぁ-ん]/,
  };
  const localized = [
    ...storefronts.filter(({ country }) => country in words),
    { store: 'GPLAY', country: 'ES', lang: 'es-419' } as const,
  ];
  for (const storefront of localized) {
    const country = storefront.country as keyof typeof words;
    const listings = listingsOf(storefront);
    const translated = listings.filter(({ description }) => words[country].test(description ?? ''));
    expect([country, translated.length > listings.length * 0.3]).toEqual([country, true]);
  }
});

test('a language outside the catalog gets the English listing', () => {
  const iceland = { store: 'GPLAY', country: 'IS' } as const;
  const english = listingsOf({ ...iceland, lang: 'en-GB' });
  const icelandic = listingsOf({ ...iceland, lang: 'is' });
  expect(icelandic.map(({ title }) => title)).toEqual(english.map(({ title }) => title));
});

test('prices are in the country’s currency', () => {
  const paid = catalog.chart(us, { category: 'OVERALL', collection: 'paid', limit: 100 });
  expect(paid.every(({ price, currency }) => (price ?? 0) > 0 && currency === 'USD')).toBe(true);
  const inJapan = catalog.chart(
    { store: 'ITUNES', country: 'JP', lang: 'ja' },
    { category: 'OVERALL', collection: 'paid', limit: 100 },
  );
  expect(
    inJapan.every(
      ({ price, currency }) => (price ?? 0) >= 100 && Number.isInteger(price) && currency === 'JPY',
    ),
  ).toBe(true);
});
