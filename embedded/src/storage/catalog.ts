import { fromBson, toBson } from '../semantics/bson.ts';
import { createPrefixEnd } from '../semantics/encode-key.ts';
import { type Collection, createCollection, createCountKey } from './collection.ts';
import { type CollectionMeta, encodeId, type IndexMeta, primaryIndexName } from './collection-meta.ts';
import type { KeyValueStore, Reads } from './key-value-store.ts';

export type Catalog = ReturnType<typeof openCatalog>;

/**
 * Every key in the store starts with an id. Ids below 16 are reserved: 0 for the metadata of collections, 1 for their
 * document counts, 2 for the version of the metadata, 3 for the form of the values. From 16 on, each index has its own id.
 */
const firstCollectionId = 16;

/**
 * The collections of all databases, read once from the store and then held in memory. Changes must be made inside a
 * transaction.
 */
export function openCatalog(store: KeyValueStore) {
  const collections = new Map<string, Collection>();
  let lastId = firstCollectionId - 1;

  for (const { value } of store.entries(encodeId(0), createPrefixEnd(encodeId(0))))
    register(fromBson(value) as CollectionMeta);

  function register(meta: CollectionMeta): Collection {
    const collection = createCollection({ store, meta, saveMeta });
    collections.set(createNamespace(meta.db, meta.name), collection);
    lastId = Math.max(lastId, meta.id, ...meta.indexes.map((index) => index.id));
    return collection;
  }

  function saveMeta(meta: CollectionMeta): void {
    store.put(createMetaKey(meta), toBson(meta));
    changeVersion();
  }

  /** In the same transaction as the change, so that a reader sees both or neither. */
  function changeVersion(): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(readCatalogVersion(store) + 1);
    store.put(versionKey, bytes);
  }

  /** The primary index has the id of the collection, because its entries are the documents themselves. */
  function create(db: string, name: string): Collection {
    const id = nextId();
    const primary: IndexMeta = {
      id,
      name: primaryIndexName,
      key: { _id: 1 },
      unique: true,
      sparse: false,
      multikey: false,
      truncated: false,
    };
    const meta = { id, db, name, indexes: [primary] };
    saveMeta(meta);
    return register(meta);
  }

  function nextId(): number {
    lastId += 1;
    return lastId;
  }

  /** Returns false if the collection does not exist. */
  function drop(db: string, name: string): boolean {
    const collection = collections.get(createNamespace(db, name));
    if (!collection) return false;
    collection.clear();
    store.remove(createMetaKey(collection.meta));
    store.remove(createCountKey(collection.meta));
    changeVersion();
    collections.delete(createNamespace(db, name));
    return true;
  }

  return {
    store,
    find: (db: string, name: string) => collections.get(createNamespace(db, name)),
    findOrCreate: (db: string, name: string) =>
      collections.get(createNamespace(db, name)) ?? create(db, name),
    drop,
    nextId,
    namesIn: (db: string) =>
      [...collections.values()]
        .filter(({ meta }) => meta.db === db)
        .map(({ meta }) => meta.name)
        .sort(),
    databases: () => [...new Set([...collections.values()].map(({ meta }) => meta.db))].sort(),
  };
}

const versionKey = encodeId(2);

/** Differs after each change of the metadata. 0 until the first one. */
export function readCatalogVersion(store: Pick<Reads, 'peek'>): number {
  return store.peek(versionKey)?.readDoubleBE() ?? 0;
}

function createNamespace(db: string, name: string): string {
  return `${db}\0${name}`;
}

function createMetaKey({ db, name }: CollectionMeta): Buffer {
  return Buffer.concat([encodeId(0), Buffer.from(createNamespace(db, name))]);
}
