import type { Doc } from '../semantics/bson.ts';
import { badValue, typeMismatch } from '../semantics/command-error.ts';
import { isDocument } from '../semantics/values.ts';

export function readString(request: Doc, field: string): string {
  const value = request[field];
  if (typeof value !== 'string' || value === '') throw typeMismatch(`'${field}' must be a nonempty string`);
  return value;
}

export function readDocument(request: Doc, field: string): Doc {
  const value = request[field];
  if (!isDocument(value)) throw typeMismatch(`'${field}' must be a document`);
  return value;
}

/** Returns 1 to `max` documents. */
export function readDocuments(request: Doc, field: string, max = 100_000): Doc[] {
  const value = request[field];
  if (!Array.isArray(value) || !value.every(isDocument))
    throw typeMismatch(`'${field}' must be a list of documents`);
  if (value.length === 0 || value.length > max)
    throw badValue(`'${field}' must contain 1 to ${max} documents`);
  return value;
}

/** Returns 0 if the field is absent. */
export function readCount(request: Doc, field: string): number {
  const value = request[field] ?? 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw badValue(`'${field}' must be an integer of at least 0`);
  }
  return value;
}

export function readFlag(request: Doc, field: string): boolean {
  const value = request[field] ?? false;
  if (typeof value !== 'boolean') throw typeMismatch(`'${field}' must be true or false`);
  return value;
}
