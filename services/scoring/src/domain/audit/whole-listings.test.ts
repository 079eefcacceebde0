import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import fc from 'fast-check';
import { atLeastRuns } from '../../../../../testing/at-least-runs.ts';
import {
  coverage,
  fieldKey,
  fieldKeys,
  inputOf,
  limitOf,
  listing,
  rivals,
  type Texts,
  targeting,
  text,
  tiny,
  vocabulary,
  withText,
} from '../../../test/any-listing.ts';
import { reportOf } from '../../../test/build-audit-input.ts';

/** Properties of coverage and targeting over listings of which everything is read, phrases and brands included. */

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
