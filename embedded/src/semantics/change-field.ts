import type { Doc } from './bson.ts';
import type { FieldChange } from './check-update.ts';
import { typeMismatch, unsupported } from './command-error.ts';
import { encodeKey } from './encode-key.ts';
import { locateExistingField, locateField } from './locate-field.ts';

type Change = (doc: Doc, path: string, operand: unknown) => void;

/** Applies one operator to one path of `doc`, in place. Throws a CommandError if the old value does not allow it. */
export function changeField(doc: Doc, [operator, path, operand]: FieldChange): void {
  const change = changes[operator];
  if (!change) throw unsupported(operator);
  change(doc, path, operand);
}

const changes: Record<string, Change> = {
  $set: (doc, path, value) => locateField(doc, path).set(value),
  $unset: (doc, path) => locateExistingField(doc, path)?.remove(),
  $inc: increment,
  $min: (doc, path, value) => setIfBeyond(doc, path, value, -1),
  $max: (doc, path, value) => setIfBeyond(doc, path, value, 1),
};

/** A missing field becomes the amount. */
function increment(doc: Doc, path: string, amount: unknown): void {
  if (typeof amount !== 'number') throw typeMismatch('Cannot apply $inc with a non-numeric argument');
  const field = locateField(doc, path);
  const old = field.get();
  if (old !== undefined && typeof old !== 'number') {
    throw typeMismatch(`Cannot apply $inc to the field '${path}', which is not a number`);
  }
  field.set(old === undefined ? amount : old + amount);
}

/**
 * Stores the value if the field is missing, or if the value is lower (-1) or higher (1) than the current one. Values of
 * different types compare in MongoDB's order of types.
 */
function setIfBeyond(doc: Doc, path: string, value: unknown, direction: 1 | -1): void {
  const field = locateField(doc, path);
  const old = field.get();
  const order = Buffer.compare(encodeKey(value, { truncate: false }), encodeKey(old, { truncate: false }));
  if (old === undefined || order * direction > 0) field.set(value);
}
