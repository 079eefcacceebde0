import fc from 'fast-check';
import { type Doc, toBson } from './bson.ts';
import { checkFilter } from './check-filter.ts';
import { createMatcher } from './match.ts';
import { createEncodedMatcher } from './match-encoded.ts';

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 5, 1.5, '', 'a', 'b', 'ä', 'ab'),
  fc.integer({ min: -1, max: 2 }).map((ms) => new Date(ms)),
);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 2 }),
  fc.record({ n: scalar }),
);
const doc = fc.dictionary(fc.constantFrom('f', 'g', 'fg'), value, { maxKeys: 3 });
const condition = fc.oneof(
  scalar,
  fc.record({ $in: fc.array(scalar, { maxLength: 2 }) }),
  fc
    .tuple(
      fc.constantFrom('$gt', '$gte', '$lt', '$lte'),
      fc.constantFrom<unknown>(new Date(0), new Date(1), 1, 'a'),
    )
    .map(([operator, bound]) => ({ [operator]: bound })),
  fc.constantFrom({ $gte: 'a', $lt: 'b' }, { $gt: '', $lte: 'ä' }, { $gte: new Date(0), $lt: new Date(1) }),
);
const filter = fc.dictionary(fc.constantFrom('f', 'g', 'f.n'), condition, { minKeys: 1, maxKeys: 3 });

test('encoded documents that are known to match or not are those that match when they are decoded', () => {
  const seen = { true: 0, false: 0, undefined: 0 };
  fc.assert(
    fc.property(doc, filter, (stored: Doc, given) => {
      const checked = checkFilter(given);
      const encoded = createEncodedMatcher(checked);
      if (!encoded) return;
      const isMatch = encoded.matches(toBson(stored));
      seen[`${isMatch}`] += 1;
      const expected = createMatcher(checked)(stored);
      if (isMatch === false) expect(expected).toBe(false);
      if (isMatch === true) expect(createMatcher(encoded.rest)(stored)).toBe(expected);
    }),
    { numRuns: 5000, seed: 3 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});

test.each([[{ f: 1 }], [{ f: null }], [{ f: { $ne: 'a' } }], [{ 'f.n': 'a' }], [{ $or: [{ f: 'a' }] }]])(
  '%j needs the decoded document',
  (given) => {
    expect(createEncodedMatcher(checkFilter(given))).toBeUndefined();
  },
);
