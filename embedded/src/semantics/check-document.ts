import { Binary, type Doc, ObjectId } from './bson.ts';
import { badValue, CommandError, unsupported } from './command-error.ts';
import { isDocument, isScalar } from './values.ts';

/** The limits of MongoDB. */
export const maxDepth = 100;
export const maxDocumentBytes = 16 * 1024 * 1024;

/** Refuses a document that the engine could not store, compare or return exactly. */
export function checkDocument(doc: Doc): void {
  checkId(doc._id);
  checkValue(doc, 1);
}

/** Refuses types without a defined order here and field names that paths cannot address. */
function checkValue(value: unknown, depth = 1): void {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return;
  if (value instanceof ObjectId || value instanceof Binary) return;
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw badValue('a date is out of range');
    return;
  }
  if (depth > maxDepth)
    throw new CommandError(15, 'Overflow', `a document is nested deeper than ${maxDepth}`);
  if (Array.isArray(value)) {
    for (const element of value) checkValue(element, depth + 1);
  } else if (isDocument(value)) {
    for (const [field, fieldValue] of Object.entries(value)) {
      checkFieldName(field);
      checkValue(fieldValue, depth + 1);
    }
  } else throw unsupported(`values of type ${getTypeName(value)}`);
}

/** Dots and dollar signs would be read as paths and operators. FerretDB refuses them too. */
export function checkFieldName(field: string): void {
  if (field === '' || isReserved(field) || field.includes('.') || field.startsWith('$')) {
    throw unsupported(`a field named '${field}'`);
  }
}

/**
 * Reports whether no document may have the field: an assignment to `__proto__` would change the prototype, and the BSON
 * library cannot serialize a document with `_bsontype`.
 */
export function isReserved(field: string): boolean {
  return field === '__proto__' || field === '_bsontype';
}

function checkId(id: unknown): void {
  if (id === null || !isScalar(id)) {
    throw unsupported('an _id that is null, a document or an array');
  }
}

export function getTypeName(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (Array.isArray(value)) return 'array';
  const bsonType = (value as { _bsontype?: unknown } | null)?._bsontype;
  return typeof bsonType === 'string' ? bsonType : typeof value;
}
