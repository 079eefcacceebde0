import { mongo } from 'mongoose';

/**
 * One BSON for everything: the driver's own, as mongoose carries it. A second copy would bring a second ObjectId,
 * which fails `instanceof`.
 */
export const { BSON, ObjectId, Binary } = mongo;

/** A document, or a part of one, as it comes out of BSON. */
export type Doc = Record<string, unknown>;

/** Binary stays Binary (its subtype counts), and a regular expression keeps its own options. */
const deserializeOptions = { promoteBuffers: false, bsonRegExp: true } as const;

export function toBson(doc: Doc): Buffer {
  return Buffer.from(BSON.serialize(doc, { ignoreUndefined: false }));
}

export function fromBson(bytes: Uint8Array): Doc {
  return BSON.deserialize(bytes, deserializeOptions);
}
