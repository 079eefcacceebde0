import fc from 'fast-check';
import { Binary, ObjectId } from './bson.ts';
import { createPrefixEnd, encodeKey, encodePrefix, isTruncated } from './encode-key.ts';
import { compareOrdered, isEqual } from './values.ts';

const text = fc.string({ unit: 'binary', maxLength: 60 });
const values = fc.oneof(
  fc.double(),
  fc.integer(),
  text,
  text.map((start) => start + 'y'.repeat(250)),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => new Binary(bytes)),
);

test('keys are equal exactly when their values are equal', () => {
  fc.assert(
    fc.property(values, values, (left, right) => {
      expect(encodeKey(left).equals(encodeKey(right))).toBe(isEqual(left, right));
      expect(encodeKey(left).equals(encodeKey(left))).toBe(true);
    }),
  );
});

test('keys have the order of their values, untruncated keys at any length', () => {
  fc.assert(
    fc.property(values, values, (left, right) => {
      const order = compareOrdered(left, right);
      if (order === undefined) return;
      expect(
        Math.sign(
          Buffer.compare(encodeKey(left, { truncate: false }), encodeKey(right, { truncate: false })),
        ),
      ).toBe(Math.sign(order));
      if (isTruncated(left) || isTruncated(right)) return;
      expect(Math.sign(Buffer.compare(encodeKey(left), encodeKey(right)))).toBe(Math.sign(order));
    }),
  );
});

test('types are ordered as in MongoDB', () => {
  const inOrder = [
    null,
    Number.NaN,
    -1,
    0,
    2,
    '',
    'a',
    new Binary(Buffer.from('a')),
    new ObjectId(),
    false,
    true,
    new Date(0),
  ];
  const keys = inOrder.map((value) => encodeKey(value));
  expect([...keys].sort(Buffer.compare)).toEqual(keys);
});

test('the keys of all strings with a prefix start with the bytes of the prefix', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (prefix, rest) => {
      const start = encodePrefix(prefix);
      expect(encodeKey(prefix + rest).subarray(0, start.length)).toEqual(start);
    }),
  );
});

test('the end of a prefix is above all keys that start with it and not above any other higher key', () => {
  const bytes = fc.uint8Array({ maxLength: 4 });
  const prefix = fc.uint8Array({ minLength: 1, maxLength: 4 }).filter((key) => key[0] !== 0xff);
  fc.assert(
    fc.property(prefix, bytes, bytes, (start, rest, other) => {
      const end = createPrefixEnd(Buffer.from(start));
      expect(Buffer.compare(Buffer.concat([start, rest]), end)).toBe(-1);
      expect(Buffer.compare(Buffer.concat([start, Buffer.alloc(8, 0xff)]), end)).toBe(-1);
      const isOutside = !Buffer.from(other).subarray(0, start.length).equals(start);
      if (isOutside && Buffer.compare(other, start) > 0) expect(Buffer.compare(other, end)).not.toBe(-1);
    }),
  );
});
