import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import { atLeastRuns } from '../../../../../../testing/at-least-runs.ts';
import { buildAuditInput, searched, ungraded, unsearched } from '../../../../test/build-audit-input.ts';
import type { ListingTexts, TermScore } from '../audit-input.ts';
import { fieldOf, readListing } from '../read-listing.ts';
import { coverageOf, exactCoverageOf } from './coverage.ts';

function coverage(store: Store, texts: Partial<ListingTexts>, terms: Record<string, TermScore>): number {
  return coverageOf(store, readListing(buildAuditInput(store, { texts, terms })).fields);
}

function scoreOf(store: Store, key: keyof ListingTexts, text: string, terms: Record<string, TermScore>) {
  return fieldOf(readListing(buildAuditInput(store, { texts: { [key]: text }, terms })), key)?.score;
}

describe('worked examples', () => {
  const terms = { photo: searched(60, 50), editor: searched(45, 40), collage: searched(80, 40) };

  test('a name is scored by the traffic and the characters of its earning words', () => {
    // .6 * (1 - exp(-(60 + 45) / 150)) + .4 * (5 + 6) / (.8 * 30) = .30205 + .18333
    expect(scoreOf('ITUNES', 'title', 'Photo Editor', terms)).toBeCloseTo(48.5382, 3);
  });

  test('a short description needs more traffic and more characters', () => {
    // .6 * (1 - exp(-105 / 200)) + .4 * 11 / (.8 * 80) = .24507 + .06875
    expect(scoreOf('GPLAY', 'subtitle', 'Photo Editor', terms)).toBeCloseTo(31.3817, 3);
  });

  test('a long description is scored by traffic alone', () => {
    // 1 - exp(-(60 + 45) / 500)
    expect(scoreOf('GPLAY', 'description', 'photo editor', terms)).toBeCloseTo(18.9416, 3);
  });

  test('the App Store weighs 45 : 30 : 25, Google Play 40 : 25 : 35', () => {
    const full = { galaxies: searched(100, 1), horizons: searched(100, 1), starlight: searched(100, 1) };
    const text = 'galaxies horizons starlight';
    const half = { description: 'galaxies horizons' };
    // .6 * (1 - exp(-300 / 150)) + .4 = .9188
    expect(coverage('ITUNES', { title: text, kw_field: '' }, full)).toBe(41);
    expect(coverage('ITUNES', { subtitle: text, kw_field: '' }, full)).toBe(28);
    expect(coverage('GPLAY', { title: text }, full)).toBe(37);
    // .35 * (1 - exp(-200 / 500))
    expect(coverage('GPLAY', half, full)).toBe(12);
  });

  test('an unknown keywords field is left out, an empty one counts as 0', () => {
    const full = { galaxies: searched(100, 1), horizons: searched(100, 1), starlight: searched(100, 1) };
    const title = 'galaxies horizons starlight';
    expect(coverage('ITUNES', { title, kw_field: null }, full)).toBe(55);
    expect(coverage('ITUNES', { title, subtitle: null, kw_field: null }, full)).toBe(92);
    expect(coverage('ITUNES', { title, kw_field: '' }, full)).toBe(41);
  });

  test('a field that the App Store does not index earns nothing', () => {
    expect(coverage('ITUNES', { description: 'photo editor' }, terms)).toBe(0);
    expect(fieldOf(readListing(buildAuditInput('ITUNES')), 'description')?.score).toBeNull();
  });

  test('a pending word adds nothing and takes up no room', () => {
    // .6 * (1 - exp(-105 / 150)) + .4 * 11 / (.8 * (30 - 7))
    expect(scoreOf('ITUNES', 'title', 'Photo Editor Mystery', terms)).toBeCloseTo(54.118, 2);
    const known = { ...terms, mystery: unsearched };
    expect(scoreOf('ITUNES', 'title', 'Photo Editor Mystery', known)).toBeCloseTo(48.5382, 3);
  });

  test('text beyond a field’s limit earns nothing', () => {
    const many = { ...terms, filters: searched(40, 40), video: searched(60, 40), music: searched(60, 40) };
    const within = scoreOf('ITUNES', 'title', 'Photo Editor Collage Filters', many);
    // The limit of 30 is after "V".
    expect(scoreOf('ITUNES', 'title', 'Photo Editor Collage Filters Video Music', many)).toBe(within);
    const field = [...'photo,editor'.padEnd(97, ',x')].join('');
    expect(scoreOf('ITUNES', 'kw_field', `${field},collage`, many)).toBe(
      scoreOf('ITUNES', 'kw_field', 'photo,editor', many),
    );
  });

  test('a name without a read word has no score, not 0', () => {
    expect(scoreOf('ITUNES', 'title', 'Mystery Enigma', {})).toBeNull();
    expect(scoreOf('ITUNES', 'title', 'Mystery Enigma', { mystery: ungraded(60) })).toBeNull();
    expect(scoreOf('ITUNES', 'title', 'Mystery Enigma', { mystery: unsearched })).toBe(0);
  });

  test('a keywords field is scored once 80 % of its words are read', () => {
    const score = (...read: string[]) =>
      scoreOf(
        'ITUNES',
        'kw_field',
        'one,two,six,ten,red',
        Object.fromEntries(read.map((word) => [word, unsearched])),
      );
    expect(score('one', 'two', 'six')).toBeNull();
    expect(score('one', 'two', 'six', 'ten')).toBe(0);
  });
});

describe('for any listing', () => {
  const vocabulary =
    'anchor basket candle dragon engine falcon garden hammer island jacket kettle ladder magnet needle orange pencil quiver ribbon saddle timber'.split(
      ' ',
    );
  const readScore = fc.oneof(
    fc.tuple(fc.integer({ min: 5, max: 100 }), fc.nat(100)).map(([t, d]) => searched(t, d)),
    fc.constant(unsearched),
  );
  const anyScore = fc.oneof(
    readScore,
    fc.integer({ min: 5, max: 100 }).map(ungraded),
    fc.constant<TermScore | null>(null),
  );
  const scoresOf = (score: fc.Arbitrary<TermScore | null>) =>
    fc.array(score, { minLength: vocabulary.length, maxLength: vocabulary.length });
  const words = (maxLength: number) => fc.array(fc.constantFrom(...vocabulary), { maxLength });
  const listingOf = (score: fc.Arbitrary<TermScore | null>) =>
    fc.record({
      store: fc.constantFrom<Store>(...stores),
      title: words(4),
      subtitle: words(5),
      kw_field: fc.option(words(14)),
      description: words(30),
      scores: scoresOf(score),
    });
  const listing = listingOf(anyScore);
  /** All of its words are read: what is not read decides which fields are scored. */
  const fullyRead = listingOf(readScore);
  type Listing = typeof listing extends fc.Arbitrary<infer T> ? T : never;
  const order = ['title', 'subtitle', 'kw_field', 'description'] as const;

  const isWithinLimits = (texts: Listing) =>
    order.every((key) => {
      const limit = listingFields[texts.store].find((field) => field.key === key)?.limit;
      return limit === undefined || (texts[key]?.join(', ').length ?? 0) <= limit;
    });

  const exact = (listing: Listing) => exactCoverageOf(listing.store, fieldsOf(listing));
  const score100 = (listing: Listing, write?: (words: string[]) => string) =>
    coverageOf(listing.store, fieldsOf(listing, write));

  function fieldsOf({ store, scores, ...fields }: Listing, write = (words: string[]) => words.join(' ')) {
    const terms = Object.fromEntries(
      vocabulary.flatMap((word, at) => (scores[at] ? [[word, scores[at]] as const] : [])),
    );
    const texts = {
      title: write(fields.title),
      subtitle: write(fields.subtitle),
      kw_field: store === 'GPLAY' || fields.kw_field === null ? null : write(fields.kw_field),
      description: write(fields.description),
    };
    return readListing(buildAuditInput(store, { texts, terms })).fields;
  }

  test('coverage is a whole number from 0 to 100', () => {
    fc.assert(
      fc.property(listing, (any) => {
        const value = score100(any);
        expect(Number.isInteger(value) && value >= 0 && value <= 100).toBe(true);
      }),
    );
  });

  test('a searched word that no field carries yet, added within the limit, never lowers coverage once all words are read, and raises it unrounded', () => {
    fc.assert(
      fc.property(fullyRead, fc.constantFrom(...order), fc.nat(30), fc.nat(19), (before, key, at, which) => {
        const word = vocabulary[which] ?? '';
        const field = before[key];
        const limit = listingFields[before.store].find((field) => field.key === key)?.limit ?? 0;
        fc.pre(field !== null && before.scores[which]?.search_status === 'searched');
        fc.pre(!order.some((other) => before[other]?.includes(word)));
        const added = field.toSpliced(at, 0, word);
        fc.pre(added.join(' ').length <= limit);
        expect(score100({ ...before, [key]: added })).toBeGreaterThanOrEqual(score100(before));
        // Every gain is 1.
        const isIndexed = key !== 'description' || before.store === 'GPLAY';
        const isKnown = isIndexed && (key !== 'kw_field' || before.store === 'ITUNES');
        if (isKnown) expect(exact({ ...before, [key]: added })).toBeGreaterThan(exact(before));
      }),
      atLeastRuns(600),
    );
  });

  test('repeating a word, in its own field or a later one, adds nothing once all words are read', () => {
    fc.assert(
      fc.property(fullyRead, fc.nat(3), fc.nat(3), fc.nat(30), (before, first, later, at) => {
        const [from, to] = [order[first] ?? 'title', order[Math.min(3, first + later)] ?? 'title'];
        const word = before[from]?.[at % (before[from]?.length || 1)];
        const field = before[to];
        fc.pre(word !== undefined && field !== null && (from !== 'kw_field' || before.store === 'ITUNES'));
        const after = { ...before, [to]: field.toSpliced(at, 0, word) };
        fc.pre(isWithinLimits(after));
        expect(score100(after)).toBe(score100(before));
      }),
      atLeastRuns(600),
    );
  });

  test('a pending word lowers no field, and an unknown keywords field is left out, where an empty one counts 0', () => {
    const scoreIn = (one: Listing, key: 'title' | 'subtitle') =>
      fieldsOf(one).find((field) => field.key === key)?.score;
    fc.assert(
      fc.property(listing, fc.constantFrom('title' as const, 'subtitle' as const), (before, key) => {
        const after = { ...before, [key]: [...before[key], 'violet'] };
        const [was, is] = [scoreIn(before, key) ?? null, scoreIn(after, key) ?? null];
        if (was !== null && is !== null && isWithinLimits(after)) expect(is).toBeGreaterThanOrEqual(was);
        const [unknown = 0, empty = 0] = [null, []].map((kw) => exact({ ...before, kw_field: kw }));
        if (before.store === 'ITUNES' && empty > 0) expect(unknown).toBeGreaterThan(empty);
      }),
    );
  });

  test('within the limits, order and letter case do not matter', () => {
    fc.assert(
      fc.property(listing, (before) => {
        fc.pre(isWithinLimits(before));
        const backwards = score100(before, (words) => words.toReversed().join(', ').toUpperCase());
        expect(backwards).toBe(score100(before));
      }),
    );
  });
});
