import type { Doc } from './bson.ts';
import type { FieldChange } from './check-update.ts';
import { badValue, typeMismatch, unsupported } from './command-error.ts';
import { createIdentity, encodeKey } from './encode-key.ts';
import { type FieldAccessor, locateExistingField, locateField } from './locate-field.ts';
import { leadsThroughArray } from './paths.ts';
import { hasOperators, isDocument, isScalar } from './values.ts';

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
  $inc: (doc, path, amount) => applyArithmetic(doc, path, '$inc', amount, (old, by) => old + by),
  $mul: (doc, path, factor) => applyArithmetic(doc, path, '$mul', factor, (old, by) => old * by),
  $min: (doc, path, value) => setIfBeyond(doc, path, value, -1),
  $max: (doc, path, value) => setIfBeyond(doc, path, value, 1),
  $rename: (doc, path, target) => {
    // `checkUpdate` has refused targets of other types.
    const targetPath = String(target);
    const from = locateExistingField(doc, path);
    const value = from?.get();
    if (!from || value === undefined) return;
    if (leadsThroughArray(doc, path))
      throw badValue(`The source field cannot be an array element, '${path}'`);
    if (leadsThroughArray(doc, targetPath))
      throw badValue(`The destination field cannot be an array element, '${targetPath}'`);
    from.remove();
    locateField(doc, targetPath).set(value);
  },
  $push: (doc, path, operand) => {
    const field = locateField(doc, path);
    field.set([...readArray(field, '$push'), ...readEach('$push', operand)]);
  },
  $addToSet: (doc, path, operand) => {
    const field = locateField(doc, path);
    const values = [...readArray(field, '$addToSet')];
    const present = new Set(values.map(createIdentity));
    for (const value of readEach('$addToSet', operand)) {
      if (present.has(createIdentity(value))) continue;
      present.add(createIdentity(value));
      values.push(value);
    }
    field.set(values);
  },
  $pull: (doc, path, value) => {
    // FerretDB treats a condition as a value and then removes nothing.
    if (!isScalar(value)) throw unsupported('$pull by a condition: read the document, or use $pullAll');
    removeElements(doc, path, '$pull', (element) => createIdentity(element) === createIdentity(value));
  },
  $pullAll: (doc, path, list) => {
    if (!Array.isArray(list)) throw badValue('$pullAll needs an array');
    const removed = new Set(list.map(createIdentity));
    removeElements(doc, path, '$pullAll', (value) => removed.has(createIdentity(value)));
  },
  $pop: (doc, path, end) => {
    if (end !== 1 && end !== -1) throw badValue('$pop needs 1 or -1');
    const field = locateExistingField(doc, path);
    if (field?.get() === undefined) return;
    const values = readArray(field, '$pop');
    field.set(end === 1 ? values.slice(0, -1) : values.slice(1));
  },
};

/** A missing field becomes the operand with `$inc`, and 0 with `$mul`. */
function applyArithmetic(
  doc: Doc,
  path: string,
  operator: string,
  operand: unknown,
  combine: (old: number, operand: number) => number,
): void {
  if (typeof operand !== 'number') throw typeMismatch(`Cannot apply ${operator} with a non-numeric argument`);
  const field = locateField(doc, path);
  const old = field.get();
  if (old !== undefined && typeof old !== 'number') {
    throw typeMismatch(`Cannot apply ${operator} to the field '${path}', which is not a number`);
  }
  field.set(old === undefined && operator === '$inc' ? operand : combine(old ?? 0, operand));
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

/** The array at the field; a missing field counts as an empty one. */
function readArray(field: FieldAccessor, operator: string): unknown[] {
  const value = field.get();
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw badValue(`${operator} can only be applied to an array`);
  return value;
}

/** Accepts `{$each: [...]}` or a single value. */
function readEach(operator: string, operand: unknown): unknown[] {
  if (!isDocument(operand) || !hasOperators(operand)) return [operand];
  const unknownModifier = Object.keys(operand).find((modifier) => modifier !== '$each');
  if (unknownModifier !== undefined) throw unsupported(`${unknownModifier} in ${operator}`);
  if (!Array.isArray(operand.$each)) throw badValue(`$each in ${operator} needs an array`);
  return operand.$each;
}

function removeElements(
  doc: Doc,
  path: string,
  operator: string,
  isRemoved: (value: unknown) => boolean,
): void {
  const field = locateExistingField(doc, path);
  if (field?.get() === undefined) return;
  field.set(readArray(field, operator).filter((value) => !isRemoved(value)));
}
