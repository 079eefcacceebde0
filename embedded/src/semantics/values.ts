import { Binary, type Doc, ObjectId } from './bson.ts';

/** An embedded document: not a Date, an ObjectId or another value with a BSON type of its own. */
export function isDocument(value: unknown): value is Doc {
  return (
    value !== null &&
    typeof value === 'object' &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
  );
}

/** A value that supports equality: null, boolean, number, string, Date, ObjectId or Binary. */
export function isScalar(value: unknown): boolean {
  return value === null || getScalarType(value) !== undefined;
}

/** A value that may bound a range, because MongoDB and FerretDB agree on its order. */
export function isOrdered(value: unknown): value is number | string | Date | InstanceType<typeof ObjectId> {
  const type = getScalarType(value);
  return type === 'number' || type === 'string' || type === 'date' || type === 'objectId';
}

export type ScalarType = 'number' | 'string' | 'bool' | 'date' | 'objectId' | 'binData';

/** Undefined for null, documents, arrays and other values. */
export function getScalarType(value: unknown): ScalarType | undefined {
  if (typeof value === 'number' || typeof value === 'string') return typeof value as 'number' | 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Date) return 'date';
  if (value instanceof ObjectId) return 'objectId';
  if (value instanceof Binary) return 'binData';
  return undefined;
}

/**
 * Reports whether the document consists of operators, such as `{$gt: 5}`. Like MongoDB, it looks at the first field
 * only.
 */
export function hasOperators(value: Doc): boolean {
  return Object.keys(value)[0]?.startsWith('$') ?? false;
}

/** Equality of scalars. A missing field (undefined) equals null only, and NaN equals NaN. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right || Object.is(left, right)) return true;
  if (left === undefined || left === null) return right === undefined || right === null;
  if (left instanceof Date) return right instanceof Date && left.getTime() === right.getTime();
  if (left instanceof ObjectId) return right instanceof ObjectId && Buffer.compare(left.id, right.id) === 0;
  if (left instanceof Binary) {
    return (
      right instanceof Binary &&
      left.sub_type === right.sub_type &&
      Buffer.compare(left.value(), right.value()) === 0
    );
  }
  return false;
}

/**
 * Compares two values of the same ordered type: negative, zero or positive. Undefined if the types differ or if a
 * number is NaN, which no range includes. Strings compare as UTF-8, as in MongoDB.
 */
export function compareOrdered(left: unknown, right: unknown): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') {
    if (Number.isNaN(left) || Number.isNaN(right)) return undefined;
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (typeof left === 'string' && typeof right === 'string') {
    return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  if (left instanceof Date && right instanceof Date) return left.getTime() - right.getTime();
  if (left instanceof ObjectId && right instanceof ObjectId) return Buffer.compare(left.id, right.id);
  return undefined;
}
