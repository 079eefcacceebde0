import type { Doc } from '../semantics/bson.ts';
import { badValue, typeMismatch } from '../semantics/command-error.ts';
import { isDocument } from '../semantics/values.ts';

/** A field of a command that must be a string: the name of a collection, mostly. */
export function readString(request: Doc, field: string): string {
  const value = request[field];
  if (typeof value !== 'string' || value === '') throw typeMismatch(`'${field}' has to be a string`);
  return value;
}

export function readDocument(request: Doc, field: string): Doc {
  const value = request[field];
  if (!isDocument(value)) throw typeMismatch(`'${field}' has to be a document`);
  return value;
}

/** A list of documents; `most` bounds it. */
export function readDocuments(request: Doc, field: string, max = 100_000): Doc[] {
  const value = request[field];
  if (!Array.isArray(value) || !value.every(isDocument))
    throw typeMismatch(`'${field}' has to be a list of documents`);
  if (value.length === 0 || value.length > max) throw badValue(`'${field}' must hold 1 to ${max} documents`);
  return value;
}

/** A count of 0 or more; 0 when it is absent. */
export function readCount(request: Doc, field: string): number {
  const value = request[field] ?? 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw badValue(`'${field}' has to be a whole number of at least 0`);
  }
  return value;
}

export function readFlag(request: Doc, field: string): boolean {
  const value = request[field] ?? false;
  if (typeof value !== 'boolean') throw typeMismatch(`'${field}' has to be true or false`);
  return value;
}
