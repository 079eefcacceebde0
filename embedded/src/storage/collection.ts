import { type Doc, fromBson, toBson } from '../bson.ts';
import { checkDocument, maxDocumentBytes } from '../semantics/check-document.ts';
import { CommandError } from '../semantics/command-error.ts';
import { indexedValuesAt } from '../semantics/paths.ts';
import {
  type CollectionMeta,
  type IndexMeta,
  idBytes,
  isPrimary,
  primaryIndexName,
} from './collection-meta.ts';
import { after, encodeKey, isCut } from './encode-key.ts';
import { entryKey, type IndexEntries, indexEntries } from './index-entries.ts';
import type { KeyValueStore } from './key-value-store.ts';

/** A document as it is kept: where, its bytes, and its own fresh copy. */
export type Stored = { docKey: Buffer; bytes: Buffer; doc: Doc };

export type Collection = ReturnType<typeof createCollection>;

export type CollectionDeps = {
  store: KeyValueStore;
  meta: CollectionMeta;
  saveMeta(meta: CollectionMeta): void;
};

/** Key of the number of documents. */
export function countKey(meta: CollectionMeta): Buffer {
  return Buffer.concat([idBytes(1), idBytes(meta.id)]);
}

/**
 * A collection and its indexes in the store. Everything that changes is to be called inside a transaction; it
 * checks all before it writes the first byte, so that an error leaves a document wholly as it was.
 */
export function createCollection({ store, meta, saveMeta }: CollectionDeps) {
  const namespace = `${meta.db}.${meta.name}`;
  const head = idBytes(meta.id);
  const primary = primaryIndexOf(meta);
  const secondary = () => meta.indexes.filter((index) => !isPrimary(index));
  const storeKey = (docKey: Buffer) => Buffer.concat([head, docKey]);

  function insert(doc: Doc): void {
    checkDocument(doc);
    const docKey = encodeKey(doc._id);
    const bytes = serialize(doc);
    if (store.get(storeKey(docKey))) {
      throw duplicateKey(namespace, primaryIndexName, { _id: 1 }, { _id: doc._id });
    }
    const puts = secondary().flatMap((index) => newKeys(index, doc, docKey));
    if (isCut(doc._id)) note(primary, { multikey: false, cut: true });
    store.put(storeKey(docKey), bytes);
    for (const key of puts) store.put(key, docKey);
    addToCount(1);
  }

  /** Puts `doc` in the place of `old`; answers whether anything differs. */
  function replace(old: Stored, doc: Doc): boolean {
    checkDocument(doc);
    const bytes = serialize(doc);
    if (bytes.equals(old.bytes)) return false;
    const before = fromBson(old.bytes);
    const puts: Buffer[] = [];
    const removals: Buffer[] = [];
    for (const index of secondary()) {
      const had = indexEntries(index, before).keys;
      const has = indexEntries(index, doc).keys;
      puts.push(...newKeys(index, doc, old.docKey, had));
      removals.push(...without(had, has).map((entry) => entryKey(entry, old.docKey)));
    }
    for (const key of removals) store.remove(key);
    for (const key of puts) store.put(key, old.docKey);
    store.put(storeKey(old.docKey), bytes);
    return true;
  }

  function remove({ docKey, bytes }: Stored): void {
    const doc = fromBson(bytes);
    for (const index of secondary()) {
      for (const key of indexEntries(index, doc).keys) store.remove(entryKey(key, docKey));
    }
    store.remove(storeKey(docKey));
    addToCount(-1);
  }

  /** The keys that the index needs for the document beside those it `had`; refuses a double in a unique one. */
  function newKeys(index: IndexMeta, doc: Doc, docKey: Buffer, had: readonly Buffer[] = []): Buffer[] {
    const entries = indexEntries(index, doc);
    const fresh = without(entries.keys, had);
    if (index.unique) for (const entry of fresh) checkUnique(index, entry, docKey, doc);
    note(index, entries);
    return fresh.map((entry) => entryKey(entry, docKey));
  }

  function checkUnique(index: IndexMeta, entry: Buffer, docKey: Buffer, doc: Doc): void {
    for (const { value } of store.entries(entry, after(entry))) {
      if (value.equals(docKey)) continue;
      const keyValue = Object.keys(index.key).map((path) => [path, indexedValuesAt(doc, path)[0] ?? null]);
      throw duplicateKey(namespace, index.name, index.key, Object.fromEntries(keyValue));
    }
  }

  /** What the planner must know of an index is set once and stays. */
  function note(index: IndexMeta, { multikey, cut }: Omit<IndexEntries, 'keys'>): void {
    if ((!multikey || index.multikey) && (!cut || index.cut)) return;
    index.multikey ||= multikey;
    index.cut ||= cut;
    saveMeta(meta);
  }

  function get(docKey: Buffer): Stored | undefined {
    const bytes = store.get(storeKey(docKey));
    return bytes && { docKey, bytes, doc: fromBson(bytes) };
  }

  function* all(): Generator<Stored> {
    for (const { key, value } of store.entries(head, after(head))) {
      yield { docKey: key.subarray(head.length), bytes: value, doc: fromBson(value) };
    }
  }

  function count(): number {
    return store.get(countKey(meta))?.readDoubleBE() ?? 0;
  }

  function addToCount(difference: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(count() + difference);
    store.put(countKey(meta), bytes);
  }

  /** Removes all documents and index entries; answers how many documents there were. */
  function clear(): number {
    const removed = count();
    for (const index of meta.indexes) wipe(index.id);
    addToCount(-removed);
    return removed;
  }

  function wipe(indexId: number): void {
    for (const { key } of store.entries(idBytes(indexId), idBytes(indexId + 1))) store.remove(key);
  }

  function addIndex(index: IndexMeta): void {
    try {
      for (const { doc, docKey } of all()) {
        for (const key of newKeys(index, doc, docKey)) store.put(key, docKey);
      }
    } catch (error) {
      wipe(index.id);
      throw error;
    }
    meta.indexes.push(index);
    saveMeta(meta);
  }

  function dropIndex(name: string): void {
    const index = meta.indexes.find((one) => one.name === name);
    if (!index) return;
    wipe(index.id);
    meta.indexes.splice(meta.indexes.indexOf(index), 1);
    saveMeta(meta);
  }

  return {
    meta,
    store,
    namespace,
    head,
    insert,
    replace,
    remove,
    get,
    all,
    count,
    clear,
    addIndex,
    dropIndex,
  };
}

function primaryIndexOf(meta: CollectionMeta): IndexMeta {
  const primary = meta.indexes.find(isPrimary);
  if (!primary) throw new Error(`the collection ${meta.name} has lost its primary index`);
  return primary;
}

function without(keys: readonly Buffer[], others: readonly Buffer[]): Buffer[] {
  const known = new Set(others.map((key) => key.toString('latin1')));
  return keys.filter((key) => !known.has(key.toString('latin1')));
}

function serialize(doc: Doc): Buffer {
  const bytes = toBson(doc);
  if (bytes.length > maxDocumentBytes) {
    throw new CommandError(10334, 'BSONObjectTooLarge', `a document of ${bytes.length} bytes is too large`);
  }
  return bytes;
}

function duplicateKey(namespace: string, index: string, keyPattern: Doc, keyValue: Doc): CommandError {
  const key = JSON.stringify(keyValue);
  const message = `E11000 duplicate key error collection: ${namespace} index: ${index} dup key: ${key}`;
  return new CommandError(11000, 'DuplicateKey', message, { keyPattern, keyValue });
}
