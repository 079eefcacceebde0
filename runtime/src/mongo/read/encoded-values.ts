/** BSON's types of values. */
export const types = {
  double: 1,
  text: 2,
  document: 3,
  array: 4,
  binary: 5,
  objectId: 7,
  boolean: 8,
  date: 9,
  none: 10,
  int32: 16,
  timestamp: 17,
  int64: 18,
  decimal: 19,
} as const;

/** The bytes of values of a fixed size. Those of the other types start with their length. */
const fixedSizes = new Map<number, number>([
  [types.double, 8],
  [types.objectId, 12],
  [types.boolean, 1],
  [types.date, 8],
  [types.none, 0],
  [types.int32, 4],
  [types.timestamp, 8],
  [types.int64, 8],
  [types.decimal, 16],
]);

/** Where the name of an element ends, before its value. */
export function findNameEnd(bytes: Buffer, nameAt: number): number {
  let end = nameAt;
  while (bytes[end] !== 0 && end < bytes.length) end += 1;
  return end;
}

/** The bytes of a value. @throws TypeError for a type that no store writes */
export function sizeOf(bytes: Buffer, type: number, at: number): number {
  const fixed = fixedSizes.get(type);
  if (fixed !== undefined) return fixed;
  if (type === types.document || type === types.array) return bytes.readInt32LE(at);
  if (type === types.text) return 4 + bytes.readInt32LE(at);
  if (type === types.binary) return 5 + bytes.readInt32LE(at);
  throw new TypeError(`a value of the unknown type ${type}`);
}
