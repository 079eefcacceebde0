import { type ListingFieldKey, listingFields } from '@shelfwise/facts/stores/listing-fields';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import { atLeastRuns } from '../../../../../testing/at-least-runs.ts';
import { buildAuditInput, reportOf, searched, unsearched } from '../../../test/build-audit-input.ts';
import { createFormOf } from '../text/form-of.ts';
import type { AuditInput, TermScore } from './audit-input.ts';
import { exactCoverageOf } from './coverage.ts';
import { listingTerms } from './listing-terms.ts';
import { readListing } from './read-listing.ts';

/** Properties of coverage and targeting over listings of which everything is read, phrases and brands included. */

const appId = 'com.example.lumen';
const formOf = createFormOf('en-US');
const rivals = ['streakly', 'foldling', 'pandory'];
const vocabulary = ['habit', 'tracker', 'planner', 'daily', 'goal', 'kite', 'free', 'lumen', ...rivals];
const fieldKeys = ['title', 'subtitle', 'kw_field', 'description'] as const;
const fieldKey = fc.constantFrom<ListingFieldKey>(...fieldKeys);

const score = fc
  .record({
    traffic: fc.integer({ min: 5, max: 100 }),
    difficulty: fc.nat(100),
    rank: fc.option(fc.constantFrom(1, 3, 4, 9, 20, 60, 100), { freq: 2 }),
    near: fc.nat(4),
    brand: fc.constantFrom(null, null, null, null, 'own', 'rival', 'suspected'),
    isSearched: fc.constantFrom(true, true, true, false),
  })
  .map(({ traffic, difficulty, rank, near, brand, isSearched }): TermScore => {
    const ids = Array.from({ length: 100 }, (_, at) => (at < near ? `near ${at}` : `far ${at}`));
    if (rank !== null) ids[rank - 1] = appId;
    const owner = brand && {
      app_id: brand === 'own' ? appId : 'rival',
      developer_name: brand === 'own' ? 'Quillfoot Works' : 'Somebody',
    };
    const term = isSearched ? searched(traffic, difficulty) : unsearched;
    const named = brand === 'suspected' ? { suspected_brand: owner } : { brand: owner };
    return { ...term, ...named, page: { app_ids: ids, genres: null } };
  });

/** The brand of another developer, for which the app ranks worse than third. */
const rivalScore = fc
  .tuple(fc.integer({ min: 5, max: 100 }), fc.constantFrom(null, 4, 9, 60))
  .map(([traffic, rank]): TermScore => {
    const ids = Array.from({ length: 100 }, (_, at) => (at + 1 === rank ? appId : `near ${at}`));
    const brand = { app_id: 'rival', developer_name: 'Somebody' };
    return { ...searched(traffic, 50, brand), page: { app_ids: ids, genres: null } };
  });

type Texts = Record<ListingFieldKey, string>;
type Drawn = {
  store: Store;
  hasApp: boolean;
  texts: Texts;
  live: string;
  scores: readonly TermScore[];
  rivalScores: readonly TermScore[];
};

const text = (words: readonly string[], maxLength: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', ', ')), { maxLength })
    .map((parts) => parts.map(([word, after], at) => (at + 1 < parts.length ? word + after : word)).join(''));
const listing: fc.Arbitrary<Drawn> = fc.record({
  store: fc.constantFrom(...stores),
  hasApp: fc.constantFrom(true, true, true, false),
  texts: fc.record({
    title: text(vocabulary, 4),
    subtitle: text(vocabulary, 4),
    kw_field: text(vocabulary, 6),
    description: text(vocabulary, 12),
  }),
  live: text(vocabulary, 8),
  scores: fc.array(score, { minLength: 1, maxLength: 16 }),
  rivalScores: fc.array(rivalScore, { minLength: rivals.length, maxLength: rivals.length }),
});

/** The forms of a term have the same figures; what is kept with an audit for its drafts stays. */
function inputOf({ store, hasApp, texts, live, scores, rivalScores }: Drawn): AuditInput {
  const scoreOf = (keyword: string) => {
    const sum = [...formOf(keyword)].reduce((total, one) => total + one.charCodeAt(0), 0);
    return rivalScores[rivals.indexOf(formOf(keyword))] ?? scores[sum % scores.length] ?? unsearched;
  };
  const given = { ...texts, kw_field: store === 'ITUNES' ? texts.kw_field : null };
  const input = buildAuditInput(store, {
    app_id: hasApp ? appId : null,
    texts: given,
    live_description: hasApp ? live : null,
    neighbors: new Map([0, 1, 2, 3].map((at) => [`near ${at}`, null])),
  });
  const terms = listingTerms(input).map(({ keyword }) => [keyword, scoreOf(keyword)] as const);
  return { ...input, terms: new Map(terms) };
}

const withText = (drawn: Drawn, key: ListingFieldKey, value: string): Drawn => ({
  ...drawn,
  texts: { ...drawn.texts, [key]: value },
});
const coverage = (drawn: Drawn) => exactCoverageOf(drawn.store, readListing(inputOf(drawn)).fields);
const targeting = (drawn: Drawn) => readListing(inputOf(drawn)).amounts?.score ?? 0;
const limitOf = (store: Store, key: ListingFieldKey) =>
  listingFields[store].find((field) => field.key === key)?.limit ?? 0;
/** Sums of the same numbers in another order may differ by less. */
const tiny = 1e-9;

test('a field of rivals’ names has the coverage of the empty one', () => {
  fc.assert(
    fc.property(listing, fieldKey, text(rivals, 4), (drawn, key, names) => {
      fc.pre(names.length <= limitOf(drawn.store, key));
      expect(coverage(withText(drawn, key, names))).toBeCloseTo(coverage(withText(drawn, key, '')), 9);
    }),
  );
});

test('a searched word that no field has, at an end of a field, never lowers coverage, and raises it if its gain is above 0', () => {
  const ends = fc.constantFrom(
    (given: string, word: string) => `${given} ${word}`,
    (given: string, word: string) => `${given}, ${word}`,
    (given: string, word: string) => `${word} ${given}`,
  );
  const drawnWord = fc.constantFrom(...vocabulary);
  fc.assert(
    fc.property(listing, fieldKey, drawnWord, ends, (drawn, key, word, addTo) => {
      const other = word === 'habit' ? 'kite' : 'habit';
      const lacking = (one: ListingFieldKey) => [one, drawn.texts[one].replaceAll(word, other)] as const;
      const before = { ...drawn, texts: Object.fromEntries(fieldKeys.map(lacking)) as Texts };
      const added = addTo(before.texts[key], word);
      fc.pre(added.length <= limitOf(drawn.store, key));
      const after = withText(before, key, added);
      expect(coverage(after)).toBeGreaterThanOrEqual(coverage(before) - tiny);
      const { words = [] } = reportOf(inputOf(after)).fields.find((one) => one.key === key) ?? {};
      const status = words.find(({ name }) => name === word)?.status ?? '';
      if (['earning', 'extra-reach'].includes(status))
        expect(coverage(after)).toBeGreaterThan(coverage(before));
    }),
    atLeastRuns(300),
  );
});

test('a repeat in another form, after a comma, adds nothing to targeting', () => {
  const aimedKey = fc.constantFrom<ListingFieldKey>('title', 'subtitle', 'kw_field');
  fc.assert(
    fc.property(listing, aimedKey, aimedKey, fc.nat(), fc.boolean(), (drawn, from, to, which, isPlural) => {
      fc.pre(drawn.store === 'ITUNES' || (from !== 'kw_field' && to !== 'kw_field'));
      const words = drawn.texts[from].split(/[ ,]+/).filter(Boolean);
      const word = words[which % words.length];
      const isRead = drawn.texts[from].length <= limitOf(drawn.store, from);
      // `free` is a common word, `frees` is none.
      fc.pre(word !== undefined && isRead && (word !== 'free' || !isPlural));
      const repeated = `${drawn.texts[to]}, ${isPlural ? `${word}s` : word}`;
      expect(targeting(withText(drawn, to, repeated))).toBeCloseTo(targeting(drawn), 9);
    }),
    atLeastRuns(300),
  );
});

test('a reader can add targeting up from the report, with its two decimals', () => {
  fc.assert(
    fc.property(listing, (drawn) => {
      const { axes, targeting: shown } = reportOf(inputOf(drawn));
      const { won = 0, lost = 0, keywords } = shown;
      const half = 0.005 + tiny;
      const sum = (key: 'won' | 'lost', isBrand?: boolean) =>
        keywords
          .filter((one) => isBrand === undefined || one.own_brand === isBrand)
          .reduce((total, one) => total + (one[key] ?? 0), 0);
      const isNear = (value: number, expected: number, tolerance: number) =>
        expect(Math.abs(value - expected)).toBeLessThanOrEqual(tolerance);
      isNear(won, Math.min(100, sum('won', true)) + sum('won', false), half * (keywords.length + 1));
      isNear(lost, sum('lost'), half * (keywords.length + 1));
      const exact = 100 * (1 - Math.exp(-Math.max(0, won - 0.4 * lost) / 160));
      const axis = axes.find(({ key }) => key === 'targeting')?.score ?? Number.NaN;
      isNear(axis, won > 0 ? Math.max(1, exact) : 0, 0.5 + half);
      for (const one of keywords.filter((row) => row.same_as === null && row.verdict !== '')) {
        const { traffic, gain = 0, credit, listing_gain: listingGain } = one;
        isNear(one.won ?? 0, (traffic ?? 0) * gain * (credit ?? 0), 100 * 2 * half);
        if (one.lost !== 0) isNear(one.lost ?? 0, (traffic ?? 0) * (1 - (listingGain ?? 0)), 100 * half);
      }
    }),
  );
});
