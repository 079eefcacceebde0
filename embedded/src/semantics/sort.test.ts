import fc from 'fast-check';
import { toBson } from './bson.ts';
import { checkSort, createEncodedSortKey, createSortKey } from './sort.ts';

test('the key of an encoded document is that of the decoded one', () => {
  const scalar = fc.oneof(
    fc.constantFrom(null, undefined, true, 0, -0, 1.5, Number.NaN, -3, 2 ** 40, new Date(5), 'a', 'é\0b'),
    fc.string({ minLength: 190, maxLength: 210 }),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, scalar, tie('document'), fc.array(tie('value'), { maxLength: 3 })),
    document: fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('value'), { maxKeys: 3 }),
  }));
  const path = fc.array(fc.constantFrom('a', 'b', '0'), { minLength: 1, maxLength: 3 });
  const sorts = fc.uniqueArray(fc.tuple(path, fc.constantFrom(1, -1)), {
    minLength: 1,
    maxLength: 2,
    selector: ([parts]) => parts.join('.'),
  });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', '0'), value), sorts, (doc, fields) => {
      const sort = checkSort(Object.fromEntries(fields.map(([parts, order]) => [parts.join('.'), order])));
      expect(createEncodedSortKey(sort)(toBson(doc))).toEqual(createSortKey(sort)(doc));
    }),
    { numRuns: 1000 },
  );
});
