import type { Doc } from '../bson.ts';
import { CommandError, unsupported } from '../semantics/command-error.ts';
import { indexedValuesAt, meetsArray } from '../semantics/paths.ts';
import { type IndexMeta, idBytes } from './collection-meta.ts';
import { encodeKey, isCut } from './encode-key.ts';

/** LMDB's limit for a key, less what LMDB itself may add. */
const maxKeyBytes = 1900;

export type IndexEntries = {
  /** Keys without the document's own key at the end; no doubles. */
  keys: Buffer[];
  multikey: boolean;
  cut: boolean;
};

/** What an index holds for a document. */
export function indexEntries(index: IndexMeta, doc: Doc): IndexEntries {
  const paths = Object.keys(index.key);
  const values = paths.map((path) => indexedValuesAt(doc, path));
  const arrays = paths.filter((path) => meetsArray(doc, path));
  if (arrays.length > 1) {
    throw new CommandError(
      171,
      'CannotIndexParallelArrays',
      `cannot index parallel arrays [${arrays.join('] [')}]`,
    );
  }
  if (index.sparse && values.every((found) => found.length === 1 && found[0] === undefined)) {
    return { keys: [], multikey: false, cut: false };
  }
  return {
    keys: combine(idBytes(index.id), values),
    multikey: arrays.length > 0,
    cut: values.some((found) => found.some(isCut)),
  };
}

function combine(head: Buffer, values: readonly unknown[][]): Buffer[] {
  let keys = [head];
  for (const found of values) {
    const encoded = distinct(found.map((value) => encodeKey(value)));
    keys = keys.flatMap((key) => encoded.map((value) => Buffer.concat([key, value])));
  }
  return keys;
}

export function distinct(keys: readonly Buffer[]): Buffer[] {
  if (keys.length < 2) return [...keys];
  return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

/** An entry's full key: the index's part, then the document's. */
export function entryKey(entry: Buffer, docKey: Buffer): Buffer {
  const key = Buffer.concat([entry, docKey]);
  if (key.length > maxKeyBytes) throw unsupported(`index entries of more than ${maxKeyBytes} bytes`);
  return key;
}
