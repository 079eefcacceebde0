import type { Doc } from '../bson.ts';
import { encodeKey } from '../storage/encode-key.ts';
import type { FieldChange } from './check-update.ts';
import { badValue, typeMismatch, unsupported } from './command-error.ts';
import { locate, locateExisting, type Place } from './locate.ts';
import { hasOperators, isPlain, isScalar } from './values.ts';

type Change = (doc: Doc, path: string, operand: unknown) => void;

/** Applies one change to a document that is the caller's own. */
export function changeField(doc: Doc, [operator, path, operand]: FieldChange): void {
  const change = changes[operator];
  if (!change) throw unsupported(operator);
  change(doc, path, operand);
}

const changes: Record<string, Change> = {
  $set: (doc, path, value) => locate(doc, path).set(value),
  $unset: (doc, path) => locateExisting(doc, path)?.remove(),
  $inc: (doc, path, amount) => calculate(doc, path, '$inc', amount, (old, by) => old + by),
  $mul: (doc, path, factor) => calculate(doc, path, '$mul', factor, (old, by) => old * by),
  $min: (doc, path, value) => keepBetter(doc, path, value, -1),
  $max: (doc, path, value) => keepBetter(doc, path, value, 1),
  $rename: (doc, path, target) => {
    if (typeof target !== 'string') throw badValue('$rename needs the new name');
    const from = locateExisting(doc, path);
    const value = from?.get();
    if (!from || value === undefined) return;
    from.remove();
    locate(doc, target).set(value);
  },
  $push: (doc, path, operand) => {
    const place = locate(doc, path);
    place.set([...arrayAt(place, '$push'), ...listOf('$push', operand)]);
  },
  $addToSet: (doc, path, operand) => {
    const place = locate(doc, path);
    const known = new Map(arrayAt(place, '$addToSet').map((value) => [identity(value), value]));
    const values = [...arrayAt(place, '$addToSet')];
    for (const value of listOf('$addToSet', operand)) {
      if (known.has(identity(value))) continue;
      known.set(identity(value), value);
      values.push(value);
    }
    place.set(values);
  },
  $pull: (doc, path, value) => {
    // FerretDB reads a condition as a value, and then takes out nothing.
    if (!isScalar(value)) throw unsupported('$pull by a condition: read the document, or use $pullAll');
    removeElements(doc, path, '$pull', (element) => identity(element) === identity(value));
  },
  $pullAll: (doc, path, list) => {
    if (!Array.isArray(list)) throw badValue('$pullAll needs an array');
    const unwanted = new Set(list.map(identity));
    removeElements(doc, path, '$pullAll', (value) => unwanted.has(identity(value)));
  },
  $pop: (doc, path, end) => {
    if (end !== 1 && end !== -1) throw badValue('$pop needs 1 or -1');
    const place = locateExisting(doc, path);
    if (place?.get() === undefined) return;
    const values = arrayAt(place, '$pop');
    place.set(end === 1 ? values.slice(0, -1) : values.slice(1));
  },
};

function calculate(
  doc: Doc,
  path: string,
  operator: string,
  operand: unknown,
  combine: (old: number, operand: number) => number,
): void {
  if (typeof operand !== 'number') throw typeMismatch(`Cannot apply ${operator} with a non-numeric argument`);
  const place = locate(doc, path);
  const old = place.get();
  if (old !== undefined && typeof old !== 'number') {
    throw typeMismatch(`Cannot apply ${operator} to the field '${path}', which is not a number`);
  }
  place.set(old === undefined && operator === '$inc' ? operand : combine(old ?? 0, operand));
}

/** Keeps the lesser (-1) or the greater (1) value, in the order of all values. */
function keepBetter(doc: Doc, path: string, value: unknown, direction: 1 | -1): void {
  const place = locate(doc, path);
  const old = place.get();
  const order = Buffer.compare(encodeKey(value, { whole: true }), encodeKey(old, { whole: true }));
  if (old === undefined || order * direction > 0) place.set(value);
}

function arrayAt(place: Place, operator: string): unknown[] {
  const held = place.get();
  if (held === undefined) return [];
  if (!Array.isArray(held)) throw badValue(`${operator} needs an array to work on`);
  return held;
}

/** `{$each: [...]}` or a single value. */
function listOf(operator: string, operand: unknown): unknown[] {
  if (!isPlain(operand) || !hasOperators(operand)) return [operand];
  const other = Object.keys(operand).find((modifier) => modifier !== '$each');
  if (other !== undefined) throw unsupported(`${other} in ${operator}`);
  if (!Array.isArray(operand.$each)) throw badValue(`$each in ${operator} needs an array`);
  return operand.$each;
}

/** Equal values have equal identities; the type belongs to it. */
function identity(value: unknown): string {
  return encodeKey(value, { whole: true }).toString('latin1');
}

function removeElements(
  doc: Doc,
  path: string,
  operator: string,
  unwanted: (value: unknown) => boolean,
): void {
  const place = locateExisting(doc, path);
  if (place?.get() === undefined) return;
  place.set(arrayAt(place, operator).filter((value) => !unwanted(value)));
}
