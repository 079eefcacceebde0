import type { Doc } from './bson.ts';
import { type Element, elementTypes, findElement } from './bson-elements.ts';
import { checkPath } from './check-filter.ts';
import { badValue, unsupported } from './command-error.ts';
import { encodeKey } from './encode-key.ts';
import { getIndexedValues } from './paths.ts';
import { createFieldDecoder, nameInPath } from './some-fields.ts';
import { isDocument } from './values.ts';

/** Fields and directions in order of precedence. */
export type Sort = readonly (readonly [path: string, direction: 1 | -1])[];

export function checkSort(sort: unknown): Sort {
  if (sort === undefined) return [];
  if (!isDocument(sort)) throw badValue('a sort must be a document');
  return Object.entries(sort).map(([path, direction]) => {
    checkPath(path);
    if (direction !== 1 && direction !== -1) throw unsupported(`the sort order ${JSON.stringify(direction)}`);
    return [path, direction];
  });
}

/** Sorts items in memory by their keys (`createSortKey`). Stable. Each is read before the next is taken. */
export function sortByKey<Given, Item>(
  given: Iterable<Given>,
  read: (one: Given) => { key: string; item: Item },
): Item[] {
  const keyed = Array.from(given, read);
  keyed.sort((one, { key }) => (one.key < key ? -1 : one.key > key ? 1 : 0));
  return keyed.map(({ item }) => item);
}

/**
 * What a document is sorted by: the bytes of its index keys, inverted where the order is descending, so the order is that of an
 * index. A text: thousands are compared, and a buffer takes longer. No key is the start of another one.
 */
export function createSortKey(sort: Sort): (doc: Doc) => string {
  return (doc) =>
    sort.map(([path, direction]) => inDirection(bestKey(doc, path, direction), direction)).join('');
}

/**
 * The same of an encoded document: to decode a field that holds a document takes longer than to find one value in it. Where the path
 * meets an array, or a value of another type than most, the field is decoded.
 */
export function createEncodedSortKey(sort: Sort): (bytes: Buffer) => string {
  const decode = createFieldDecoder(new Set(sort.map(([path]) => nameInPath(path))));
  const fields = sort.map(([path, direction]) => {
    const names = path.split('.').map((name) => Buffer.from(name));
    return { path, direction, names };
  });
  return (bytes) => {
    let key = '';
    for (const { path, direction, names } of fields)
      key += inDirection(readKey(bytes, names) ?? bestKey(decode(bytes), path, direction), direction);
    return key;
  };
}

function inDirection(key: Buffer, direction: 1 | -1): string {
  if (direction === 1) return key.toString('latin1');
  const inverted = Buffer.allocUnsafe(key.length);
  for (let at = 0; at < key.length; at += 1) inverted[at] = ~(key[at] as number);
  return inverted.toString('latin1');
}

/** Undefined: the field must be decoded. */
function readKey(bytes: Buffer, names: readonly Buffer[]): Buffer | undefined {
  let start = 0;
  for (const [depth, name] of names.entries()) {
    const element = findElement(bytes, start, name);
    if (!element) return missingKey;
    if (depth === names.length - 1) return keyOf(bytes, element);
    if (element.type !== elementTypes.document) return undefined;
    start = element.valueAt;
  }
  return undefined;
}

const missingKey = encodeKey(undefined);
/** Types of BSON. */
const types = { double: 1, text: 2, date: 9, none: 10, int32: 16 } as const;

function keyOf(bytes: Buffer, { type, valueAt, to }: Element): Buffer | undefined {
  if (type === types.int32) return encodeKey(bytes.readInt32LE(valueAt));
  if (type === types.double) return encodeKey(bytes.readDoubleLE(valueAt));
  // The length in four bytes before the text, and a zero after it.
  if (type === types.text) return encodeKey(bytes.toString('utf8', valueAt + 4, to - 1), { truncate: false });
  if (type === types.date) return encodeKey(new Date(Number(bytes.readBigInt64LE(valueAt))));
  return type === types.none ? missingKey : undefined;
}

/** An array sorts by its lowest element in ascending order and by its highest in descending order. */
function bestKey(doc: Doc, path: string, direction: 1 | -1): Buffer {
  const keys = getIndexedValues(doc, path).map((value) => encodeKey(value, { truncate: false }));
  return keys.reduce((best, key) => (Buffer.compare(key, best) * direction < 0 ? key : best));
}
