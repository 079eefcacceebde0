import { createRequire } from 'node:module';

/**
 * The BSON library, without the driver that uses it: the database's thread starts half a second earlier. The driver
 * requires it. An import would load another copy, with its own ObjectId class, for which `instanceof` fails.
 */
export const { BSON, ObjectId, Binary } = createRequire(import.meta.url)('bson') as typeof import('bson');

/** A document or embedded document after deserialization. */
export type Doc = Record<string, unknown>;

/** Binary values keep their subtype, and regular expressions keep their BSON options. */
const deserializeOptions = { promoteBuffers: false, bsonRegExp: true } as const;

export function toBson(doc: Doc): Buffer {
  const { buffer, byteOffset, byteLength } = BSON.serialize(doc, { ignoreUndefined: false });
  return Buffer.from(buffer, byteOffset, byteLength);
}

export function fromBson(bytes: Uint8Array): Doc {
  return BSON.deserialize(bytes, deserializeOptions);
}

/** Encodes documents one by one, as they are read. */
export function* toBsonEach(docs: Iterable<Doc>): Generator<Buffer> {
  for (const doc of docs) yield toBson(doc);
}
