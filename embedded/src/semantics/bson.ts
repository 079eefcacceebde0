import { mongo } from 'mongoose';

/**
 * The BSON library of the driver that mongoose uses. A second copy would have its own ObjectId class, for which
 * `instanceof` fails.
 */
export const { BSON, ObjectId, Binary } = mongo;

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
