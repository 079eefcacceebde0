import { type Store, stores } from '@shelfwise/facts/stores/store';
import type { Brand } from './brands.ts';
import { dayOf } from './day.ts';
import { gaussian, mix, pick, unit } from './random.ts';
import { isGame } from './topic.ts';
import { type WrittenLanguage, writtenLanguages } from './written-language.ts';

/** An app: a brand in one store. */
export type SampleApp = {
  /** What is random about the app is derived from it, or from the brand's seed: see random.ts. */
  seed: number;
  store: Store;
  brand: Brand;
  /** Numeric id (App Store) or package name (Google Play). */
  appId: string;
  bundleId: string;
  /** UTC days: see day.ts. The app is in the store from the day after its release. */
  releasedDay: number;
  /** Approximate number of days between two versions. */
  cadenceDays: number;
  /** The day after which no version is released; null for a maintained app. */
  abandonedDay: number | null;
  /** The texts of the listing change after this many versions. */
  versionsPerRewrite: number;
  /** In US dollars; 0 is free. */
  price: number;
  /** Revenue per user, relative to other apps; 0 for a free app without sales. */
  earning: number;
  /** Average opinion of users, 2.4 to 4.9 stars. */
  quality: number;
  /** log10 of the ratings that the app gathers in the United States over the years. */
  popularity: number;
  languages: ReadonlySet<WrittenLanguage>;
};

const prices = [0.99, 1.99, 2.99, 3.99, 4.99, 6.99, 9.99, 14.99] as const;

/** All apps of the catalog, including future releases; every call returns the same list. */
export function createApps(brands: readonly Brand[]): SampleApp[] {
  const nextAppStoreId = createAppStoreIds();
  return brands.flatMap((brand) =>
    stores
      .filter((store) => hasAppIn(store, brand))
      .map((store) => createApp(store, brand, nextAppStoreId(mix(brand.seed, 30)))),
  );
}

/**
 * Whether the app is sold in this country. The leaders and 64% of the others are sold everywhere, 10% in four of five
 * countries, 16% in the developer's region, the rest at home.
 */
export function isSoldIn({ seed, brand }: SampleApp, country: string): boolean {
  const { home } = brand.developer;
  if (country === home.country || brand.isLeader) return true;
  const reach = unit(mix(seed, 40));
  if (reach < 0.64) return true;
  if (reach < 0.74) return unit(mix(seed, 41, country.charCodeAt(0), country.charCodeAt(1))) < 0.8;
  if (reach < 0.9) return home.region.includes(country);
  return false;
}

function createApp(store: Store, brand: Brand, appStoreId: string): SampleApp {
  const seed = mix(brand.seed, store === 'ITUNES' ? 1 : 2);
  const bundleId = `com.example.${brand.developer.slug}.${brand.slug}`;
  const releasedDay = releaseDay(brand, mix(seed, 2));
  const isPaid = unit(mix(brand.seed, 20)) < (store === 'ITUNES' ? 0.15 : 0.1);
  const popularity = brand.popularity + 0.25 * gaussian(mix(seed, 3)) - (isPaid ? 0.7 : 0);
  return {
    seed,
    store,
    brand,
    appId: store === 'ITUNES' ? appStoreId : bundleId,
    bundleId,
    releasedDay,
    cadenceDays: Math.round(9 * 16 ** unit(mix(seed, 4))),
    abandonedDay: abandonedDay(brand, releasedDay, mix(seed, 5)),
    versionsPerRewrite: 2 + Math.floor(unit(mix(seed, 6)) * 7),
    price: isPaid ? pick(prices, mix(brand.seed, 21)) : 0,
    earning: earning(brand, isPaid, mix(brand.seed, 22)),
    quality: Math.min(4.9, Math.max(2.4, 4.34 + 0.11 * (popularity - 4) + 0.4 * gaussian(mix(seed, 7)))),
    popularity,
    languages: languagesOf(brand, popularity, seed),
  };
}

/** Whether the brand has an app in the store. Every brand has one in at least one store. */
function hasAppIn(store: Store, { seed }: Brand): boolean {
  const choice = unit(mix(seed, 10));
  return store === 'ITUNES' ? choice < 0.84 : choice > 0.21;
}

/** Between 2012 and 2030. The leaders are the oldest, so that new apps start small; new apps appear every week. */
function releaseDay(brand: Brand, seed: number): number {
  if (brand.isLeader) return dayOf('2012-03-01') + Math.floor(unit(seed) * 3_000);
  if (unit(mix(seed, 1)) < 0.84) return dayOf('2013-01-01') + Math.floor(unit(seed) ** 0.7 * 4_950);
  return dayOf('2026-06-01') + Math.floor(unit(seed) * 1_500);
}

function abandonedDay(brand: Brand, releasedDay: number, seed: number): number | null {
  if (brand.isLeader || unit(seed) > 0.3) return null;
  return releasedDay + 30 + Math.floor(unit(mix(seed, 1)) * 1_600);
}

/** Paid apps earn by their price, games and subscriptions by what they sell; a third of the free apps earns nothing. */
function earning(brand: Brand, isPaid: boolean, seed: number): number {
  if (isPaid) return 1.5;
  if (unit(seed) < 0.33) return 0;
  return (isGame(brand.topic) ? 2 : 1) * 10 ** (0.5 * gaussian(mix(seed, 1)));
}

/** English, the developer's language, and others: the more popular the app, the more. */
function languagesOf(brand: Brand, popularity: number, seed: number): ReadonlySet<WrittenLanguage> {
  const chance = Math.min(0.92, Math.max(0.22, (popularity - 2) / 3.2));
  const home = brand.developer.home.language;
  return new Set(
    writtenLanguages.filter(
      (language, index) => language === 'en' || language === home || unit(mix(seed, 50, index)) < chance,
    ),
  );
}

/** Ten digits starting with 90: a range that the App Store has not assigned. */
function createAppStoreIds(): (seed: number) => string {
  const taken = new Set<number>();
  return (seed) => {
    let id = 9_000_000_000 + Math.floor(unit(seed) * 100_000_000);
    while (taken.has(id)) id++;
    taken.add(id);
    return String(id);
  };
}
