import { applyUpdate } from '../semantics/apply-update.ts';
import { type Doc, fromBson, toBson } from '../semantics/bson.ts';
import { checkDocument, maxDocumentBytes } from '../semantics/check-document.ts';
import type { Update } from '../semantics/check-update.ts';
import { CommandError } from '../semantics/command-error.ts';
import { createPrefixEnd, encodeKey, isTruncated } from '../semantics/encode-key.ts';
import { getIndexedValues } from '../semantics/paths.ts';
import { decodeFields, encodeFields, nameInPath, namesInChanges } from '../semantics/some-fields.ts';
import {
  type CollectionMeta,
  encodeId,
  type IndexMeta,
  isPrimary,
  primaryIndexName,
} from './collection-meta.ts';
import { computeIndexEntries, createEntryKey, type IndexEntries } from './index-entries.ts';
import type { KeyValueStore } from './key-value-store.ts';

/**
 * `docKey` is the encoded `_id`, `bytes` the stored BSON. `doc` belongs to the caller. It is decoded when it is first
 * used: most reads send the bytes as they are.
 */
export type StoredDocument = { readonly docKey: Buffer; readonly bytes: Buffer; readonly doc: Doc };

export type Collection = ReturnType<typeof createCollection>;

export type CollectionDeps = {
  store: KeyValueStore;
  meta: CollectionMeta;
  saveMeta(meta: CollectionMeta): void;
};

export function createCountKey(meta: CollectionMeta): Buffer {
  return Buffer.concat([encodeId(1), encodeId(meta.id)]);
}

/**
 * A collection and its indexes in the store. Changes must be made inside a transaction. A change of a document checks
 * everything before it writes the document and its index entries, so an error leaves both unchanged. Only the planner's
 * flags of an index (`markIndex`) may already be set; they cost speed but never change a result.
 */
export function createCollection({ store, meta, saveMeta }: CollectionDeps) {
  const namespace = `${meta.db}.${meta.name}`;
  const keyPrefix = encodeId(meta.id);
  const primary = findPrimaryIndex(meta);
  const secondary = () => meta.indexes.filter((index) => !isPrimary(index));
  const createStoreKey = (docKey: Buffer) => Buffer.concat([keyPrefix, docKey]);

  function insert(doc: Doc): void {
    checkDocument(doc);
    const docKey = encodeKey(doc._id);
    const bytes = serialize(doc);
    if (store.get(createStoreKey(docKey))) {
      throw createDuplicateKeyError(namespace, primaryIndexName, { _id: 1 }, { _id: doc._id });
    }
    const addedKeys = secondary().flatMap((index) => createNewKeys(index, doc, docKey));
    if (isTruncated(doc._id)) markIndex(primary, { multikey: false, truncated: true });
    store.put(createStoreKey(docKey), bytes);
    for (const key of addedKeys) store.put(key, docKey);
    addToCount(1);
  }

  /** Applies an update to a stored document. Returns false if it changes nothing. */
  function update(old: StoredDocument, change: Update): boolean {
    if (change.kind === 'replace') return write(old, change, secondary(), old.doc, serialize);
    // Of a large document, only the fields that change and those of their indexes are decoded and encoded.
    const changed = namesInChanges(change.changes);
    const indexes = secondary().filter((index) => namesInIndex(index).some((name) => changed.includes(name)));
    const names = new Set(['_id', ...changed, ...indexes.flatMap(namesInIndex)]);
    return write(old, change, indexes, decodeFields(old.bytes, names), (doc) =>
      checkSize(encodeFields(old.bytes, names, doc)),
    );
  }

  /**
   * Applies an update to `doc`, which has what the update and the indexes need of `old`. The entries in other indexes
   * stay.
   */
  function write(
    old: StoredDocument,
    change: Update,
    indexes: readonly IndexMeta[],
    doc: Doc,
    encode: (doc: Doc) => Buffer,
  ): boolean {
    const oldEntries = indexes.map((index) => computeIndexEntries(index, doc).keys);
    const next = applyUpdate(doc, change);
    checkDocument(next);
    const bytes = encode(next);
    if (bytes.equals(old.bytes)) return false;
    const addedKeys: Buffer[] = [];
    const removedKeys: Buffer[] = [];
    for (const [position, index] of indexes.entries()) {
      const entries = computeIndexEntries(index, next);
      const before = oldEntries[position] ?? [];
      addedKeys.push(...createNewKeys(index, next, old.docKey, entries, before));
      removedKeys.push(...difference(before, entries.keys).map((entry) => createEntryKey(entry, old.docKey)));
    }
    for (const key of removedKeys) store.remove(key);
    for (const key of addedKeys) store.put(key, old.docKey);
    store.put(createStoreKey(old.docKey), bytes);
    return true;
  }

  function remove({ docKey, bytes }: StoredDocument): void {
    const doc = fromBson(bytes);
    for (const index of secondary()) {
      for (const key of computeIndexEntries(index, doc).keys) store.remove(createEntryKey(key, docKey));
    }
    store.remove(createStoreKey(docKey));
    addToCount(-1);
  }

  /**
   * Returns the index keys that the document needs for its entries in addition to `oldEntries`, those of its previous
   * version. Refuses duplicates in a unique index and marks the index. Writes no keys.
   */
  function createNewKeys(
    index: IndexMeta,
    doc: Doc,
    docKey: Buffer,
    entries = computeIndexEntries(index, doc),
    oldEntries: readonly Buffer[] = [],
  ): Buffer[] {
    const newEntries = difference(entries.keys, oldEntries);
    if (index.unique) for (const entry of newEntries) checkUnique(index, entry, docKey, doc);
    markIndex(index, entries);
    return newEntries.map((entry) => createEntryKey(entry, docKey));
  }

  function checkUnique(index: IndexMeta, entry: Buffer, docKey: Buffer, doc: Doc): void {
    for (const { value } of store.entries(entry, createPrefixEnd(entry))) {
      if (value.equals(docKey)) continue;
      const keyValue = Object.keys(index.key).map((path) => [path, getIndexedValues(doc, path)[0] ?? null]);
      throw createDuplicateKeyError(namespace, index.name, index.key, Object.fromEntries(keyValue));
    }
  }

  /**
   * Sets the flags `multikey` and `truncated`, which limit what the planner may use the index for. They are never
   * cleared: other documents may still need them.
   */
  function markIndex(index: IndexMeta, { multikey, truncated }: Omit<IndexEntries, 'keys'>): void {
    if ((!multikey || index.multikey) && (!truncated || index.truncated)) return;
    index.multikey ||= multikey;
    index.truncated ||= truncated;
    saveMeta(meta);
  }

  function get(docKey: Buffer): StoredDocument | undefined {
    const bytes = store.get(createStoreKey(docKey));
    return bytes && createStoredDocument(docKey, bytes);
  }

  /** In the order of the keys of `_id`. */
  function* all(): Generator<StoredDocument> {
    for (const { key, value } of store.entries(keyPrefix, createPrefixEnd(keyPrefix))) {
      yield createStoredDocument(key.subarray(keyPrefix.length), value);
    }
  }

  function count(): number {
    return store.get(createCountKey(meta))?.readDoubleBE() ?? 0;
  }

  function addToCount(change: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(count() + change);
    store.put(createCountKey(meta), bytes);
  }

  /** Returns the number of removed documents. */
  function clear(): number {
    const removed = count();
    for (const index of meta.indexes) removeEntries(index.id);
    addToCount(-removed);
    return removed;
  }

  function removeEntries(indexId: number): void {
    for (const { key } of store.entries(encodeId(indexId), encodeId(indexId + 1))) store.remove(key);
  }

  function addIndex(index: IndexMeta): void {
    // A refused command does not abort the transaction, so a failed build removes its own entries.
    try {
      for (const { doc, docKey } of all()) {
        for (const key of createNewKeys(index, doc, docKey)) store.put(key, docKey);
      }
    } catch (error) {
      removeEntries(index.id);
      throw error;
    }
    meta.indexes.push(index);
    saveMeta(meta);
  }

  function dropIndex(name: string): void {
    const index = meta.indexes.find((candidate) => candidate.name === name);
    if (!index) return;
    removeEntries(index.id);
    meta.indexes.splice(meta.indexes.indexOf(index), 1);
    saveMeta(meta);
  }

  return {
    meta,
    store,
    namespace,
    keyPrefix,
    insert,
    update,
    remove,
    get,
    all,
    count,
    clear,
    addIndex,
    dropIndex,
  };
}

export const createStoredDocument = (docKey: Buffer, bytes: Buffer): StoredDocument =>
  new LazyDocument(docKey, bytes);

class LazyDocument implements StoredDocument {
  readonly docKey: Buffer;
  readonly bytes: Buffer;
  private decoded: Doc | undefined;

  constructor(docKey: Buffer, bytes: Buffer) {
    this.docKey = docKey;
    this.bytes = bytes;
  }

  get doc(): Doc {
    this.decoded ??= fromBson(this.bytes);
    return this.decoded;
  }
}

function findPrimaryIndex(meta: CollectionMeta): IndexMeta {
  const primary = meta.indexes.find(isPrimary);
  if (!primary) throw new Error(`the collection ${meta.name} has no primary index`);
  return primary;
}

/** The keys that are not in `others`. */
function difference(keys: readonly Buffer[], others: readonly Buffer[]): Buffer[] {
  const excluded = new Set(others.map((key) => key.toString('latin1')));
  return keys.filter((key) => !excluded.has(key.toString('latin1')));
}

function namesInIndex(index: IndexMeta): string[] {
  return Object.keys(index.key).map(nameInPath);
}

function serialize(doc: Doc): Buffer {
  return checkSize(toBson(doc));
}

function checkSize(bytes: Buffer): Buffer {
  if (bytes.length > maxDocumentBytes) {
    throw new CommandError(10334, 'BSONObjectTooLarge', `a document of ${bytes.length} bytes is too large`);
  }
  return bytes;
}

function createDuplicateKeyError(
  namespace: string,
  index: string,
  keyPattern: Doc,
  keyValue: Doc,
): CommandError {
  const key = JSON.stringify(keyValue);
  const message = `E11000 duplicate key error collection: ${namespace} index: ${index} dup key: ${key}`;
  return new CommandError(11000, 'DuplicateKey', message, { keyPattern, keyValue });
}
