import fc from 'fast-check';
import { listingChanges, type VersionedField, type VersionedListing } from './listing-changes.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const score = fc.option(fc.double({ min: 0, max: 5, noNaN: true }));
const facts: fc.Arbitrary<VersionedListing> = fc.record({
  title: text,
  subtitle: fc.option(text),
  description: text,
  version: fc.option(text),
  score,
  ratings: fc.option(fc.nat()),
});

const plain: VersionedListing = {
  title: 'Focus',
  subtitle: 'Work in peace',
  description: 'A timer.',
  version: '1.2',
  score: 4.5,
  ratings: 1200,
};

test('a listing does not differ from itself', () => {
  fc.assert(fc.property(facts, (one) => expect(listingChanges(one, { ...one })).toEqual([])));
});

test('the same fields differ in both directions', () => {
  fc.assert(
    fc.property(facts, facts, (one, other) =>
      expect(listingChanges(one, other)).toEqual(listingChanges(other, one)),
    ),
  );
});

test('exactly the fields that differ are named, in a fixed order', () => {
  const order: VersionedField[] = ['title', 'subtitle', 'description', 'version', 'score', 'ratings'];
  const other = { title: 'B', subtitle: 'B', description: 'B', version: '2', score: 3.5, ratings: 7 };
  fc.assert(
    fc.property(fc.subarray(order), (fields) => {
      const changed = Object.fromEntries(fields.map((field) => [field, other[field]]));
      expect(listingChanges(plain, { ...plain, ...changed })).toEqual(fields);
    }),
  );
});

test('a score that rounds to the same hundredth is unchanged', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.double({ min: -0.0049, max: 0.0049, noNaN: true }), (hundredths, shift) => {
      const before = { ...plain, score: hundredths / 100 };
      expect(listingChanges(before, { ...plain, score: hundredths / 100 + shift })).toEqual([]);
    }),
  );
});

test('two scores that equal a third one equal each other', () => {
  fc.assert(
    fc.property(score, score, score, (a, b, c) => {
      const isSame = (x: number | null, y: number | null) =>
        listingChanges({ ...plain, score: x }, { ...plain, score: y }).length === 0;
      if (isSame(a, b) && isSame(b, c)) expect(isSame(a, c)).toBe(true);
    }),
  );
});

test.each<[string, Partial<VersionedListing>, Partial<VersionedListing>, VersionedField[]]>([
  ['letter case and blanks count', { title: 'Focus' }, { title: 'focus ' }, ['title']],
  ['composed and decomposed letters count', { title: 'Caf\u00e9' }, { title: 'Cafe\u0301' }, ['title']],
  ['one hundredth of a score counts', { score: 4.5 }, { score: 4.51 }, ['score']],
  ['one rating counts', { ratings: 1200 }, { ratings: 1201 }, ['ratings']],
  ['no ratings and unknown ratings are not the same', { ratings: null }, { ratings: 0 }, ['ratings']],
  ['a first score counts', { score: null }, { score: 0 }, ['score']],
  ['a score that disappears counts', { score: 4.5 }, { score: null }, ['score']],
  ['a version that disappears counts', { version: '1' }, { version: null }, ['version']],
  ['a subtitle that becomes known counts', { subtitle: null }, { subtitle: '' }, ['subtitle']],
  ['two unknown values are equal', { score: null, version: null }, { score: null, version: null }, []],
])('%s', (_name, before, after, changed) => {
  expect(listingChanges({ ...plain, ...before }, { ...plain, ...after })).toEqual(changed);
});
