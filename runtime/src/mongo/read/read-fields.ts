import { createTextList, type TextList } from './text-list.ts';

/**
 * How a field is read: `value` is a text, a number, a date, a boolean, null, or an array of those; `texts` is an array
 * of texts that stays encoded (`TextList`); an object names the fields of a document, and a list with one object those
 * of each document of an array. Each may also be null.
 */
export type FieldShape = 'value' | 'texts' | Fields | readonly [Fields];
export type Fields = { readonly [name: string]: FieldShape };

/** The fields of a document type. One that is added to the type and not here does not compile. */
export type FieldsOf<Document> = {
  readonly [Name in keyof Document]-?: ShapeOf<NonNullable<Document[Name]>>;
};

type ShapeOf<Value> = Value extends string | number | boolean | Date
  ? 'value'
  : Value extends readonly (infer Item)[]
    ? Item extends string | number | boolean | Date
      ? 'value'
      : readonly [FieldsOf<Item>]
    : Value extends TextList
      ? 'texts'
      : FieldsOf<Value>;

type Read = (bytes: Buffer, type: number, at: number, end: number) => unknown;
type Field = { name: string; encodedName: Buffer; read: Read };

/** BSON's types of values. */
const types = {
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

/**
 * Compiles a reader of encoded documents. It decodes the given fields and skips the others: a list of 1,000 rows needs
 * a third of the memory that decoding whole documents takes, and garbage collection is its largest cost. Fields that
 * are absent stay absent. The bytes must not change while a `TextList` of them is in use. `at`: where the document starts.
 *
 * The reader throws a TypeError when a field holds a value of another kind.
 */
export function createFieldReader(fields: Fields): (bytes: Buffer, at?: number) => Record<string, unknown> {
  const compiled = compile(fields);
  return (bytes, at = 0) => readDocument(bytes, at, compiled);
}

function compile(fields: Fields): Field[] {
  return Object.entries(fields).map(([name, shape]) => ({
    name,
    encodedName: Buffer.from(name),
    read: createRead(shape),
  }));
}

function createRead(shape: FieldShape): Read {
  if (shape === 'value') return createValueRead();
  if (shape === 'texts')
    return orNull(types.array, (bytes, at, end) => createTextList(bytes.subarray(at, end)));
  if (isList(shape)) {
    const inside = compile(shape[0]);
    const readOne = orNull(types.document, (bytes, at) => readDocument(bytes, at, inside));
    return orNull(types.array, (bytes, at) => readArray(bytes, at, readOne));
  }
  const inside = compile(shape);
  return orNull(types.document, (bytes, at) => readDocument(bytes, at, inside));
}

function isList(shape: Fields | readonly [Fields]): shape is readonly [Fields] {
  return Array.isArray(shape);
}

function orNull(expected: number, read: (bytes: Buffer, at: number, end: number) => unknown): Read {
  return (bytes, type, at, end) => {
    if (type === expected) return read(bytes, at, end);
    if (type === types.none) return null;
    throw new TypeError(`a value of type ${type} where ${expected} was expected`);
  };
}

function readDocument(bytes: Buffer, start: number, fields: readonly Field[]): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  let next = 0;
  for (let at = start + 4; bytes[at] !== 0; ) {
    const type = bytes[at] as number;
    const nameEnd = findNameEnd(bytes, at + 1);
    const valueAt = nameEnd + 1;
    const end = valueAt + sizeOf(bytes, type, valueAt);
    const index = findField(fields, next, bytes, at + 1, nameEnd);
    const field = fields[index];
    if (field) {
      document[field.name] = field.read(bytes, type, valueAt, end);
      next = index + 1;
    }
    at = end;
  }
  return document;
}

function readArray(bytes: Buffer, start: number, read: Read): unknown[] {
  const values: unknown[] = [];
  for (let at = start + 4; bytes[at] !== 0; ) {
    const type = bytes[at] as number;
    const valueAt = findNameEnd(bytes, at + 1) + 1;
    const end = valueAt + sizeOf(bytes, type, valueAt);
    values.push(read(bytes, type, valueAt, end));
    at = end;
  }
  return values;
}

function findNameEnd(bytes: Buffer, nameAt: number): number {
  let end = nameAt;
  while (bytes[end] !== 0 && end < bytes.length) end += 1;
  return end;
}

/** The fields usually come in the order of the shape, so the search starts after the last one. -1: not wanted. */
function findField(
  fields: readonly Field[],
  next: number,
  bytes: Buffer,
  nameAt: number,
  nameEnd: number,
): number {
  for (let tried = 0; tried < fields.length; tried += 1) {
    const index = (next + tried) % fields.length;
    if (isEqual(bytes, nameAt, nameEnd, (fields[index] as Field).encodedName)) return index;
  }
  return -1;
}

function isEqual(bytes: Buffer, from: number, to: number, expected: Buffer): boolean {
  if (to - from !== expected.length) return false;
  for (let at = 0; at < expected.length; at += 1) if (bytes[from + at] !== expected[at]) return false;
  return true;
}

function sizeOf(bytes: Buffer, type: number, at: number): number {
  const fixed = fixedSizes.get(type);
  if (fixed !== undefined) return fixed;
  if (type === types.document || type === types.array) return bytes.readInt32LE(at);
  if (type === types.text) return 4 + bytes.readInt32LE(at);
  if (type === types.binary) return 5 + bytes.readInt32LE(at);
  throw new TypeError(`a value of the unknown type ${type}`);
}

/** Keeps the last text of a field: neighboring documents often have the same one. */
function createValueRead(): Read {
  let last: Buffer = Buffer.alloc(0);
  let [lastFrom, lastTo] = [0, 0];
  let lastText = '';
  const readText = (bytes: Buffer, from: number, to: number) => {
    if (isSameText(bytes, from, to)) return lastText;
    last = bytes;
    lastFrom = from;
    lastTo = to;
    lastText = bytes.toString('utf8', from, to);
    return lastText;
  };
  /** From the end: ids of neighbors begin alike. */
  const isSameText = (bytes: Buffer, from: number, to: number) => {
    if (to - from !== lastTo - lastFrom) return false;
    for (let at = to - 1, lastAt = lastTo - 1; at >= from; at -= 1, lastAt -= 1)
      if (bytes[at] !== last[lastAt]) return false;
    return true;
  };
  return (bytes, type, at, end) => {
    if (type === types.text) return readText(bytes, at + 4, end - 1);
    if (type === types.array) return readArray(bytes, at, readItem);
    return readScalar(bytes, type, at);
  };
}

/** A value of an array. Its texts differ, and a buffer to compare each with takes longer than the text. */
const readItem: Read = (bytes, type, at, end) => {
  if (type === types.text) return bytes.toString('utf8', at + 4, end - 1);
  if (type === types.array) return readArray(bytes, at, readItem);
  return readScalar(bytes, type, at);
};

function readScalar(bytes: Buffer, type: number, at: number): unknown {
  switch (type) {
    case types.int32:
      return bytes.readInt32LE(at);
    case types.double:
      return bytes.readDoubleLE(at);
    case types.int64:
      return readInt64(bytes, at);
    case types.date:
      return new Date(readInt64(bytes, at));
    case types.boolean:
      return bytes[at] === 1;
    case types.none:
      return null;
    default:
      throw new TypeError(`a value of type ${type} is no text, number, date, boolean or null`);
  }
}

/** Exact up to 2^53. */
function readInt64(bytes: Buffer, at: number): number {
  return bytes.readInt32LE(at + 4) * 2 ** 32 + bytes.readUInt32LE(at);
}
