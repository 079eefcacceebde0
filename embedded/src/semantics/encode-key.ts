import { createHash } from 'node:crypto';
import { Binary, ObjectId, toBson } from './bson.ts';

/**
 * LMDB limits keys to 1,978 bytes: an index key has the first 200 bytes of a longer value, then a hash of all its bytes.
 */
const maxValueBytes = 200;
const hashBytes = 20;
const terminator = Buffer.from([0, 0]);

/** The first byte of an encoded value, in MongoDB's order of types. */
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
  /** False keeps long values complete, for sorting in memory, where no length limit applies. */
  truncate?: boolean;
};

/**
 * Encodes a value as bytes that compare as the values do in MongoDB. Strings, binaries, documents and arrays of more
 * than 200 bytes are truncated and hashed unless `truncate` is false. Their keys are still equal exactly when the
 * values are, but only the first 200 bytes determine the order.
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

/** Two values have the same identity exactly when they are equal and of the same type. */
export function createIdentity(value: unknown): string {
  return encodeKey(value, { truncate: false }).toString('latin1');
}

/**
 * Reports whether keys may order the value wrongly, because its own key is truncated. Documents and arrays always count
 * as truncated.
 */
export function isTruncated(value: unknown): boolean {
  // A string of 50 UTF-16 units always fits into 200 bytes, so the bytes of short strings need not be counted.
  if (typeof value === 'string')
    return value.length > maxValueBytes / 4 && Buffer.byteLength(value) > maxValueBytes;
  if (value instanceof Binary) return value.length() + 1 > maxValueBytes;
  return (
    value !== null && typeof value === 'object' && !(value instanceof Date) && !(value instanceof ObjectId)
  );
}

/** The key of every string that starts with `prefix` starts with these bytes. They cover at most 200 bytes of it. */
export function encodePrefix(prefix: string): Buffer {
  const bytes = Buffer.from(prefix).subarray(0, maxValueBytes);
  return Buffer.concat([Buffer.from([tags.string]), escapeZeros(bytes)]);
}

/** The lowest and the highest key of the value's type, without NaN. They bound a range that is open at one end. */
export function getTypeBounds(value: unknown): [low: Buffer, high: Buffer] {
  if (typeof value === 'number')
    return [encodeKey(Number.NEGATIVE_INFINITY), createPrefixEnd(encodeKey(Infinity))];
  const tag = encodeKey(value).readUInt8(0);
  return [Buffer.from([tag]), Buffer.from([tag + 1])];
}

/**
 * The lowest key above all keys that start with `key`, whatever bytes follow. No id and no value starts with 0xFF, so
 * this key always exists.
 */
export function createPrefixEnd(key: Buffer): Buffer {
  const last = key.findLastIndex((byte) => byte !== 0xff);
  if (last === -1) throw new Error('no key is above all keys that start with 0xFF');
  const end = Buffer.from(key.subarray(0, last + 1));
  end[last] = end.readUInt8(last) + 1;
  return end;
}

/** IEEE 754 with an inverted sign bit, so that bytes have the order of the numbers. NaN sorts first, as in MongoDB. */
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

/**
 * A zero byte becomes 00 FF. The terminator 00 00 therefore occurs only at the end of a value, and sorts it before
 * every longer value that starts with it.
 */
function escapeZeros(bytes: Buffer): Buffer {
  return bytes.includes(0)
    ? Buffer.from(bytes.toString('latin1').replaceAll('\0', '\0\xff'), 'latin1')
    : bytes;
}
