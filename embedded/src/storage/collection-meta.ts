/** Fields in their order of weight; all keys are encoded ascending, a backward scan serves a descending sort. */
export type IndexKey = Record<string, 1 | -1>;

export type IndexMeta = {
  /** First part of every key of this index. */
  id: number;
  name: string;
  key: IndexKey;
  unique: boolean;
  sparse: boolean;
  /** Some document has an array on one of the paths, so that one document may have many entries. */
  multikey: boolean;
  /** Some value was cut to fit into a key, so that the order of the entries is not that of the values. */
  truncated: boolean;
};

/** What is kept of a collection, apart from its documents. `indexes[0]` is the primary one, by `_id`. */
export type CollectionMeta = { id: number; db: string; name: string; indexes: IndexMeta[] };

export const primaryIndexName = '_id_';

export function isPrimary(index: IndexMeta): boolean {
  return index.name === primaryIndexName;
}

export function encodeId(id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(id);
  return bytes;
}
