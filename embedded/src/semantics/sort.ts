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

/**
 * Sorts items in memory by their keys (`createSortKeys`), so the order is that of an index. Stable. Each is read before the next is
 * taken.
 */
export function sortBy<Given, Item>(
  given: Iterable<Given>,
  sort: Sort,
  read: (one: Given) => { keys: readonly Buffer[]; item: Item },
): Item[] {
  const keyed = Array.from(given, read);
  const directions = sort.map(([, direction]) => direction);
  keyed.sort((left, right) => {
    for (let at = 0; at < directions.length; at += 1) {
      const order = Buffer.compare(left.keys[at] as Buffer, right.keys[at] as Buffer);
      if (order !== 0) return order * (directions[at] as number);
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}

/** The bytes of the index keys that a document is sorted by. */
export function createSortKeys(sort: Sort): (doc: Doc) => Buffer[] {
  return (doc) => sort.map(([path, direction]) => createSortKey(doc, path, direction));
}

/**
 * The same of encoded documents, of which thousands are sorted: to decode a field that holds a document takes longer than to find
 * one value in it. Where the path meets an array, or a value of another type than most, the field is decoded.
 */
export function createEncodedSortKeys(sort: Sort): (bytes: Buffer) => Buffer[] {
  const decode = createFieldDecoder(new Set(sort.map(([path]) => nameInPath(path))));
  const fields = sort.map(([path, direction]) => {
    const names = path.split('.').map((name) => Buffer.from(name));
    return { path, direction, names };
  });
  return (bytes) =>
    fields.map(
      ({ path, direction, names }) => readKey(bytes, names) ?? createSortKey(decode(bytes), path, direction),
    );
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
function createSortKey(doc: Doc, path: string, direction: 1 | -1): Buffer {
  const keys = getIndexedValues(doc, path).map((value) => encodeKey(value, { truncate: false }));
  return keys.reduce((best, key) => (Buffer.compare(key, best) * direction < 0 ? key : best));
}
