import { BSON, fromBson, ObjectId, toBson } from '../semantics/bson.ts';
import { isPlain } from './is-plain.ts';

const plain: unknown[] = [
  ...['', 'text', 'Übung 😀', 0, -0, 1.5, 2 ** 31, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, true, null],
  ...[new Date(0), new Date(-1), new ObjectId()],
  ...[[], [1, 'a', [null]], {}, { a: { $in: [1, 2] }, 'a.b': new Date(1) }],
];

test.each(plain.map((value) => [value]))('%p is the same after it was encoded', (value) => {
  expect(isPlain({ inside: value })).toBe(true);
  const { inside } = fromBson(toBson({ inside: value }));
  expect(inside).toEqual(value);
});

const others: unknown[] = [
  ...[
    undefined,
    1n,
    Symbol('s'),
    () => 1,
    /x/,
    Buffer.from([1]),
    new Uint8Array(1),
    new Map(),
    new Date(Number.NaN),
  ],
  ...['\ud800', { '\udc00': 1 }, { 'a\0b': 1 }, { _bsontype: 'Long' }, { a: undefined }, [undefined]],
  ...[new BSON.Long(1), new BSON.Binary(Buffer.from([1])), new BSON.Int32(1), { toBSON: () => 1 }],
  ...[Object.assign([1], { toBSON: () => 1 }), new Array(1)],
  Array.from({ length: 30 }).reduce((inner) => ({ inner }), 1),
  Array.from({ length: 1000 }, (_, index) => index),
];

test.each(others.map((value, index) => [index, value]))('value %d has to be encoded', (_, value) => {
  expect(isPlain({ inside: value })).toBe(false);
  expect(isPlain({ inside: [value] })).toBe(false);
});
