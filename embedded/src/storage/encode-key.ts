import { createHash } from 'node:crypto';
import { Binary, ObjectId, toBson } from '../semantics/bson.ts';

/** Bytes of a string that go into a key; LMDB keys end at 1,978 bytes. The rest goes in as a hash. */
export const maxValueBytes = 200;
const hashBytes = 20;
const terminator = Buffer.from([0, 0]);

/** First byte of an encoded value, in MongoDB's order of types. */
const tags = {
  null: 0x05,
  number: 0x10,
  string: 0x20,
  object: 0x30,
  array: 0x40,
  binary: 0x50,
  objectId: 0x60,
  bool: 0x70,
  date: 0x80,
} as const;

export type EncodeOptions = {
  /** Leave long values whole: for sorting in memory, where no length limit applies. */
  truncate?: boolean;
};

/**
 * A value as bytes that compare as MongoDB compares the values. Long strings, binaries and documents are cut and
 * hashed unless `whole`: equal values stay equal, but their order is that of the first 200 bytes.
 */
export function encodeKey(value: unknown, { truncate = true }: EncodeOptions = {}): Buffer {
  if (value === undefined || value === null) return Buffer.from([tags.null]);
  if (typeof value === 'number') return encodeNumber(tags.number, value);
  if (typeof value === 'string') return encodeBytes(tags.string, Buffer.from(value), truncate);
  if (typeof value === 'boolean') return Buffer.from([tags.bool, value ? 1 : 0]);
  if (value instanceof Date) return encodeNumber(tags.date, value.getTime());
  if (value instanceof ObjectId) return Buffer.concat([Buffer.from([tags.objectId]), value.id]);
  if (value instanceof Binary) {
    return encodeBytes(tags.binary, Buffer.concat([Buffer.from([value.sub_type]), value.value()]), truncate);
  }
  return encodeBytes(Array.isArray(value) ? tags.array : tags.object, toBson({ value }), truncate);
}

/** A string that two values share exactly when they are equal. The type is part of it. */
export function createIdentity(value: unknown): string {
  return encodeKey(value, { truncate: false }).toString('latin1');
}

/** Was something lost of the value in its key? */
export function isTruncated(value: unknown): boolean {
  if (typeof value === 'string')
    return value.length > maxValueBytes / 4 && Buffer.byteLength(value) > maxValueBytes;
  if (value instanceof Binary) return value.length() + 1 > maxValueBytes;
  return (
    value !== null && typeof value === 'object' && !(value instanceof Date) && !(value instanceof ObjectId)
  );
}

/** The bytes with which every string that starts with `prefix` begins, as far as keys keep strings. */
export function encodePrefix(prefix: string): Buffer {
  const bytes = Buffer.from(prefix).subarray(0, maxValueBytes);
  return Buffer.concat([Buffer.from([tags.string]), escapeZeros(bytes)]);
}

/** Lowest and highest key of the values of the same type, NaN left out: what an open range ends at. */
export function typeBounds(value: unknown): [low: Buffer, high: Buffer] {
  if (typeof value === 'number') return [encodeKey(Number.NEGATIVE_INFINITY), prefixEnd(encodeKey(Infinity))];
  const tag = encodeKey(value).subarray(0, 1);
  return [tag, prefixEnd(tag)];
}

/** A key behind everything that starts with the given one. */
export function prefixEnd(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.from([0xff])]);
}

/** IEEE 754 with the sign turned, so that bytes order as numbers do; NaN comes first, as in MongoDB. */
function encodeNumber(tag: number, value: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes[0] = tag;
  if (Number.isNaN(value)) return bytes;
  bytes.writeDoubleBE(value === 0 ? 0 : value, 1);
  if (value < 0) for (let i = 1; i < 9; i++) bytes[i] = ~bytes.readUInt8(i) & 0xff;
  else bytes[1] = bytes.readUInt8(1) ^ 0x80;
  return bytes;
}

function encodeBytes(tag: number, bytes: Buffer, truncate: boolean): Buffer {
  const content =
    truncate && bytes.length > maxValueBytes
      ? Buffer.concat([escapeZeros(bytes.subarray(0, maxValueBytes)), escapeZeros(digest(bytes))])
      : escapeZeros(bytes);
  return Buffer.concat([Buffer.from([tag]), content, terminator]);
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, hashBytes);
}

/** A zero byte becomes 00 FF, so that the terminator 00 00 sorts a shorter value before a longer one. */
function escapeZeros(bytes: Buffer): Buffer {
  return bytes.includes(0)
    ? Buffer.from(bytes.toString('latin1').replaceAll('\0', '\0\xff'), 'latin1')
    : bytes;
}
