import { type Store, stores } from '@shelfwise/facts/stores/store';
import type { AuditInput, ListingTexts, TermToAdd } from '@shelfwise/scoring/domain/audit/audit-input';
import { auditListing } from '@shelfwise/scoring/domain/audit/audit-listing';
import { axisScoresOf } from '@shelfwise/scoring/domain/audit/axes/axis-scores';
import { shareSampleCatalog } from '../../services/store-fetch/test/share-sample-catalog.ts';
import { createSampleAudits } from './sample-audits.ts';

/** Does honest work on the listings of the sample pay, and nothing else? */

const audits = createSampleAudits(new Date('2026-11-21T12:00:00Z'), shareSampleCatalog);
/** Apps of different topics and sizes. */
const everyNth = 149;

type SampleApp = ReturnType<typeof audits.catalog.apps>[number];

/** A listing that is put back to its brand, and what its empty subtitle may be filled with. */
type BareListing = {
  input: AuditInput;
  brand: string;
  /** What the app's title says besides its brand. */
  own: string;
  /** The same of an app of another theme. */
  foreign: string;
  /** The brands of other developers' apps of the same topic whose titles begin with them. */
  names: string;
};

/** Empty: the app is not sold. */
function titleOf({ store, appId }: SampleApp): string {
  try {
    return audits.catalog.listing({ store, country: 'US', lang: 'en-US' }, appId).title ?? '';
  } catch {
    return '';
  }
}

function tailOf(app: SampleApp): string {
  return titleOf(app)
    .replace(app.brand.name, '')
    .replace(/^\W+|\W+$/gu, '');
}

async function readBareListings(store: Store): Promise<BareListing[]> {
  const apps = audits.catalog.apps(store).filter((app) => tailOf(app) !== '');
  const chosen = apps.filter((_, at) => at % everyNth === 0);
  return Promise.all(
    chosen.map(async (app) => {
      const { topic, siblings, developer, name: brand } = app.brand;
      const stranger = apps.find((other) => ![topic, ...siblings].includes(other.brand.topic));
      const rivals = apps.filter(
        (other) => other.brand.topic === topic && other.brand.developer !== developer,
      );
      const names = rivals.map((rival) => [rival.brand.name, titleOf(rival)] as const);
      return {
        input: await audits.inputWithAdvice({ store, country: 'US', lang: 'en-US' }, app.appId),
        brand,
        own: tailOf(app),
        foreign: stranger ? tailOf(stranger) : '',
        names: names
          .flatMap(([name, title]) => (title.startsWith(name) && !name.includes(' ') ? [name] : []))
          .slice(0, 3)
          .join(' '),
      };
    }),
  );
}

async function reportOf({ input, brand }: BareListing, texts: Partial<ListingTexts>) {
  const draft = await audits.draftOf(input, { title: brand, subtitle: '', ...texts });
  return auditListing({ ...draft, candidates: input.candidates }).report;
}

const scoresOf = async (listing: BareListing, texts: Partial<ListingTexts>) =>
  axisScoresOf(await reportOf(listing, texts));

describe.each(stores)('on the listings of %s', (store) => {
  let listings: BareListing[];
  beforeAll(async () => {
    listings = await readBareListings(store);
    expect(listings.length).toBeGreaterThan(10);
  });

  test('the own words in an empty subtitle raise the score, and more than those of another kind of app', async () => {
    for (const listing of listings) {
      const { global: bare } = await scoresOf(listing, {});
      const { global: own } = await scoresOf(listing, { subtitle: listing.own });
      const { global: foreign } = await scoresOf(listing, { subtitle: listing.foreign });
      expect([listing.brand, own > bare, own > foreign]).toEqual([listing.brand, true, true]);
    }
  });

  test('an invented name alone has less than 50 in targeting', async () => {
    for (const listing of listings.filter(({ brand }) => !brand.includes(' ')))
      expect((await scoresOf(listing, {})).targeting).toBeLessThan(50);
  });

  test('rivals’ names have the coverage of an empty subtitle, and never raise the score', async () => {
    for (const listing of listings.filter(({ names }) => names !== '')) {
      const bare = await scoresOf(listing, {});
      const filled = await scoresOf(listing, { subtitle: listing.names });
      expect([listing.names, filled.coverage, filled.global <= bare.global]).toEqual([
        listing.names,
        bare.coverage,
        true,
      ]);
    }
  });

  test('most listings have words to add, none of them a rival’s name', async () => {
    const brands = new Set(audits.catalog.apps(store).map(({ brand }) => brand.name.toLowerCase()));
    let advised = 0;
    for (const listing of listings) {
      const { flags } = await reportOf(listing, {});
      const words = flags.flatMap(({ evidence }) => (evidence.words_to_add ?? []) as readonly TermToAdd[]);
      expect(words.filter(({ name }) => brands.has(name))).toEqual([]);
      if (words.length > 0) advised += 1;
    }
    expect(advised).toBeGreaterThanOrEqual(listings.length / 2);
  });
});

test('a filled keywords field raises the score against an empty one', async () => {
  for (const listing of await readBareListings('ITUNES')) {
    const empty = await scoresOf(listing, { kw_field: '' });
    const filled = await scoresOf(listing, { kw_field: listing.own.toLowerCase().replace(/\W+/gu, ',') });
    expect([listing.own, filled.global > empty.global]).toEqual([listing.own, true]);
  }
});
