/**
 * Fields in order of precedence. All keys are encoded in ascending order, and a reverse scan serves a descending
 * sort.
 */
export type IndexKey = Record<string, 1 | -1>;

export type IndexMeta = {
  /** The first part of every key of this index. */
  id: number;
  name: string;
  key: IndexKey;
  unique: boolean;
  sparse: boolean;
  /** A document has an array on one of the paths and may therefore have several entries. */
  multikey: boolean;
  /** A value was truncated to fit into a key, so the order of the entries differs from the order of the values. */
  truncated: boolean;
};

/** The metadata of a collection. `indexes[0]` is the primary index, on `_id`. */
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
