import { type Doc, ObjectId } from './bson.ts';
import { changeField } from './change-field.ts';
import type { Filter } from './check-filter.ts';
import type { FieldChange, Update } from './check-update.ts';
import { CommandError, unsupported } from './command-error.ts';
import { locateField } from './locate-field.ts';
import { isDocument, isEqual } from './values.ts';

/** Returns the updated document. It may modify `doc`, which must be a copy that the caller owns. */
export function applyUpdate(doc: Doc, update: Update): Doc {
  const { _id } = doc;
  const next = update.kind === 'replace' ? { _id, ...update.replacement } : changeFields(doc, update.changes);
  if (!isEqual(next._id, _id)) {
    throw new CommandError(
      66,
      'ImmutableField',
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  return next;
}

/** Builds the document that an upsert inserts: the equalities of the filter first, then the update. */
export function createUpsert(filter: Filter, update: Update): Doc {
  const equalities = new Map(readEqualities(filter));
  if (update.kind === 'replace') {
    const _id = equalities.get('_id') ?? update.replacement._id ?? new ObjectId();
    return applyUpdate({ _id }, { ...update, replacement: { _id, ...update.replacement } });
  }
  const doc: Doc = {};
  for (const [path, value] of equalities) locateField(doc, path).set(value);
  const next = changeFields(doc, [...update.changes, ...update.onInsert]);
  if (equalities.has('_id') && !isEqual(next._id, equalities.get('_id'))) {
    throw new CommandError(66, 'ImmutableField', "the update contradicts the '_id' of the filter");
  }
  return { _id: next._id ?? new ObjectId(), ...next };
}

function changeFields(doc: Doc, changes: readonly FieldChange[]): Doc {
  for (const change of changes) changeField(doc, change);
  return doc;
}

/**
 * Finds the fields that a filter fixes to one value. An `$or` is refused: MongoDB uses the values of a single branch,
 * FerretDB does not.
 */
function readEqualities(filter: Filter): [path: string, value: unknown][] {
  return Object.entries(filter).flatMap(([field, condition]): [string, unknown][] => {
    if (field.startsWith('$')) throw unsupported(`${field} in the filter of an upsert`);
    return isDocument(condition) && '$eq' in condition ? [[field, condition.$eq]] : [];
  });
}
