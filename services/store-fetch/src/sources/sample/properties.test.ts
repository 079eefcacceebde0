import { collections } from '@shelfwise/facts/stores/categories';
import { countries } from '@shelfwise/facts/stores/country';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import fc from 'fast-check';
import { shareSampleCatalog } from '../../../test/share-sample-catalog.ts';
import { createSampleCatalog } from './catalog.ts';
import { sampleContent } from './content.ts';

let now = new Date('2026-11-21T12:00:00Z');
const catalog = shareSampleCatalog({ now: () => now });
/** Keeps the shared catalog from creating the indexes of other days. */
const catalogOfOtherDays = createSampleCatalog({ now: () => now });

const languages = ['en-US', 'de-DE', 'pt-BR', 'ja-JP', 'zh-Hans'] as const;
const storefrontIn = (langs: readonly string[]) =>
  fc.constantFrom<Store>(...stores).chain((store) =>
    fc.record({
      store: fc.constant(store),
      country: fc.constantFrom(...countries[store]),
      lang: fc.constantFrom(...langs),
    }),
  );
const storefront = storefrontIn(languages);
const knownTerms = sampleContent().topics.flatMap((topic) => Object.values(topic.terms).flat());
const term = fc.oneof(
  fc.constantFrom(...knownTerms),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc
    .tuple(fc.constantFrom(...knownTerms), fc.string({ maxLength: 12 }))
    .map(([known, rest]) => `${known} ${rest}`),
);
const today = '2026-11-21';
const day = fc.constantFrom('1970-01-01', today, '2090-01-01');
/** Few, because each day and language needs an index of its own. */
const indexed = fc.oneof(
  fc.record({ on: fc.constantFrom('1970-01-01', today), where: storefront }),
  fc.record({ on: fc.constant('2090-01-01'), where: storefrontIn(['en-US', 'ja-JP']) }),
);
const limit = fc.integer({ min: 1, max: 200 });

test('a search never fails, repeats no app and respects its limit, and a lower limit returns the start of the page', () => {
  fc.assert(
    fc.property(indexed, term, limit, ({ on, where }, what, most) => {
      now = new Date(`${on}T12:00:00Z`);
      const searched = on === today ? catalog : catalogOfOtherDays;
      const apps = searched.search(where, what, most);
      expect(apps.length).toBeLessThanOrEqual(most);
      expect(new Set(apps.map((app) => app.app_id)).size).toBe(apps.length);
      expect(searched.search(where, what, 200).slice(0, most)).toEqual(
        where.store === 'GPLAY' ? apps.slice(0, 30) : apps,
      );
      for (const { app_id: appId, score, ratings } of apps) {
        const isPlausible =
          (score === null || (score >= 1 && score <= 5)) && (ratings === null || ratings >= 0);
        expect([appId, isPlausible]).toEqual([catalog.listing(where, appId).app_id, true]);
      }
    }),
    { numRuns: 120 },
  );
});

test('suggestions start with the prefix, are unique, and keep their order when another letter is typed', () => {
  fc.assert(
    fc.property(storefront, term, day, fc.integer({ min: 1, max: 12 }), (where, what, on, length) => {
      now = new Date(`${on}T12:00:00Z`);
      const prefix = [...what].slice(0, length).join('');
      const suggested = catalog.suggest(where, prefix, 10);
      expect(new Set(suggested).size).toBe(suggested.length);
      for (const suggestion of suggested)
        expect(suggestion.startsWith(normalizeKeyword(prefix.replaceAll('’', "'")))).toBe(true);
      const longer = [...what].slice(0, length + 1).join('');
      const next = catalog.suggest(where, longer, 10);
      const kept = suggested.filter((suggestion) => next.includes(suggestion));
      expect(next.slice(0, kept.length)).toEqual(kept);
    }),
  );
});

test('charts and pages of apps work in every country, language and year', () => {
  fc.assert(
    fc.property(storefront, fc.constantFrom(...collections), day, limit, (where, collection, on, most) => {
      now = new Date(`${on}T12:00:00Z`);
      const rows = catalog.chart(where, { category: 'OVERALL', collection, limit: most });
      expect(rows.length).toBeLessThanOrEqual(most);
      expect(new Set(rows.map((app) => app.app_id)).size).toBe(rows.length);
      expect(on.startsWith('1970')).toBe(rows.length === 0);
      for (const { app_id: appId, title } of rows.slice(0, 10)) {
        const listing = catalog.listing(where, appId);
        expect(listing.title).toBe(title);
        expect(listing.updated_at?.getTime()).toBeLessThan(now.getTime());
      }
    }),
    { numRuns: 100 },
  );
});

test('ratings of an app never fall from one day to a later one', () => {
  const apps = catalog.apps('ITUNES').filter(({ releasedDay }) => releasedDay < 20_000);
  fc.assert(
    fc.property(
      fc.constantFrom(...apps),
      fc.integer({ min: 0, max: 2_000 }),
      fc.integer({ min: 1, max: 40 }),
      (app, start, later) => {
        const where = { store: 'ITUNES', country: app.brand.developer.home.country, lang: 'en-US' } as const;
        const ratingsOn = (at: number) => {
          now = new Date((20_001 + at) * 86_400_000);
          return catalog.listing(where, app.appId).ratings ?? 0;
        };
        expect(ratingsOn(start + later)).toBeGreaterThanOrEqual(ratingsOn(start));
      },
    ),
  );
});
