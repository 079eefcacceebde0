import type { Doc } from './bson.ts';
import { checkPath } from './check-filter.ts';
import { badValue, unsupported } from './command-error.ts';
import { encodeKey } from './encode-key.ts';
import { getIndexedValues } from './paths.ts';
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
 * Sorts items in memory by the fields of their documents. It compares the bytes of the index keys, so the order is that
 * of an index. Stable.
 */
export function sortBy<Item>(items: Iterable<Item>, docOf: (item: Item) => Doc, sort: Sort): Item[] {
  const keyed = Array.from(items, (item) => {
    const doc = docOf(item);
    return { item, keys: sort.map(([path, order]) => createSortKey(doc, path, order)) };
  });
  keyed.sort((left, right) => {
    for (const [index, [, direction]] of sort.entries()) {
      const order = Buffer.compare(left.keys[index] ?? empty, right.keys[index] ?? empty);
      if (order !== 0) return order * direction;
    }
    return 0;
  });
  return keyed.map(({ item }) => item);
}

const empty = Buffer.alloc(0);

/** An array sorts by its lowest element in ascending order and by its highest in descending order. */
function createSortKey(doc: Doc, path: string, direction: 1 | -1): Buffer {
  const keys = getIndexedValues(doc, path).map((value) => encodeKey(value, { truncate: false }));
  return keys.reduce((best, key) => (Buffer.compare(key, best) * direction < 0 ? key : best));
}
