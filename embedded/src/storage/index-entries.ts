import type { Doc } from '../semantics/bson.ts';
import { CommandError, unsupported } from '../semantics/command-error.ts';
import { encodeKey, isTruncated } from '../semantics/encode-key.ts';
import { getIndexedValues, traversesArray } from '../semantics/paths.ts';
import { encodeId, type IndexMeta } from './collection-meta.ts';

/** LMDB's limit of 1,978 bytes, minus a margin for the bytes that LMDB adds. */
const maxKeyBytes = 1900;

export type IndexEntries = {
  /** The keys without the document key at the end, without duplicates. */
  keys: Buffer[];
  multikey: boolean;
  truncated: boolean;
};

/**
 * The entries of a document in an index: one, or one per array element if a path leads through an array. None if the
 * index is sparse and the document has none of its fields. Two paths through arrays are refused, as in MongoDB.
 */
export function computeIndexEntries(index: IndexMeta, doc: Doc): IndexEntries {
  const paths = Object.keys(index.key);
  const values = paths.map((path) => getIndexedValues(doc, path));
  const arrays = paths.filter((path) => traversesArray(doc, path));
  if (arrays.length > 1) {
    throw new CommandError(
      171,
      'CannotIndexParallelArrays',
      `cannot index parallel arrays [${arrays.join('] [')}]`,
    );
  }
  if (index.sparse && values.every((items) => items.length === 1 && items[0] === undefined)) {
    return { keys: [], multikey: false, truncated: false };
  }
  return {
    keys: combineKeys(encodeId(index.id), values),
    multikey: arrays.length > 0,
    truncated: values.some((items) => items.some(isTruncated)),
  };
}

/** One key per combination of the values of the paths. */
function combineKeys(prefix: Buffer, values: readonly unknown[][]): Buffer[] {
  let keys = [prefix];
  for (const items of values) {
    const encoded = uniqueKeys(items.map((value) => encodeKey(value)));
    keys = keys.flatMap((key) => encoded.map((value) => Buffer.concat([key, value])));
  }
  return keys;
}

export function uniqueKeys(keys: readonly Buffer[]): Buffer[] {
  if (keys.length < 2) return [...keys];
  return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

/** The complete key of an entry: the index part, then the document key. */
export function createEntryKey(entry: Buffer, docKey: Buffer): Buffer {
  const key = Buffer.concat([entry, docKey]);
  if (key.length > maxKeyBytes) throw unsupported(`index entries of more than ${maxKeyBytes} bytes`);
  return key;
}
