import { fromBson, toBson } from '../bson.ts';
import { type Collection, countKey, createCollection } from './collection.ts';
import { type CollectionMeta, type IndexMeta, idBytes, primaryIndexName } from './collection-meta.ts';
import { after } from './encode-key.ts';
import type { KeyValueStore } from './key-value-store.ts';

export type Catalog = ReturnType<typeof openCatalog>;

/** Ids below are for the catalog itself: 0 the descriptions, 1 the counts. */
const firstId = 16;

/** All collections of all databases. What changes it is to be called inside a transaction. */
export function openCatalog(store: KeyValueStore) {
  const collections = new Map<string, Collection>();
  let lastId = firstId - 1;

  for (const { value } of store.entries(idBytes(0), after(idBytes(0))))
    adopt(fromBson(value) as CollectionMeta);

  function adopt(meta: CollectionMeta): Collection {
    const collection = createCollection({ store, meta, saveMeta });
    collections.set(nameOf(meta.db, meta.name), collection);
    lastId = Math.max(lastId, meta.id, ...meta.indexes.map((index) => index.id));
    return collection;
  }

  function saveMeta(meta: CollectionMeta): void {
    store.put(metaKey(meta), toBson(meta));
  }

  function create(db: string, name: string): Collection {
    const id = nextId();
    const primary: IndexMeta = {
      id,
      name: primaryIndexName,
      key: { _id: 1 },
      unique: true,
      sparse: false,
      multikey: false,
      cut: false,
    };
    const meta = { id, db, name, indexes: [primary] };
    saveMeta(meta);
    return adopt(meta);
  }

  function nextId(): number {
    lastId += 1;
    return lastId;
  }

  function drop(db: string, name: string): boolean {
    const collection = collections.get(nameOf(db, name));
    if (!collection) return false;
    collection.clear();
    store.remove(metaKey(collection.meta));
    store.remove(countKey(collection.meta));
    collections.delete(nameOf(db, name));
    return true;
  }

  return {
    store,
    find: (db: string, name: string) => collections.get(nameOf(db, name)),
    findOrCreate: (db: string, name: string) => collections.get(nameOf(db, name)) ?? create(db, name),
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

function nameOf(db: string, name: string): string {
  return `${db}\0${name}`;
}

function metaKey({ db, name }: CollectionMeta): Buffer {
  return Buffer.concat([idBytes(0), Buffer.from(nameOf(db, name))]);
}
