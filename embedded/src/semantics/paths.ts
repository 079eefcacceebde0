import { isDocument } from './values.ts';

const arrayIndex = /^(0|[1-9]\d*)$/;

export function isArrayIndex(part: string): boolean {
  return arrayIndex.test(part);
}

/**
 * The values that a dotted path reaches, with arrays on the way fanned out; `undefined` stands for a missing field.
 * Empty when the path runs into an array that holds no documents.
 */
export function valuesAt(doc: unknown, path: string): unknown[] {
  let values: unknown[] = [doc];
  for (const part of path.split('.')) values = values.flatMap((value) => step(value, part));
  return values;
}

function step(value: unknown, part: string): unknown[] {
  if (!Array.isArray(value)) return [getField(value, part)];
  const inElements = value.filter(isDocument).map((element) => getField(element, part));
  return isArrayIndex(part) && Number(part) < value.length
    ? [value[Number(part)], ...inElements]
    : inElements;
}

function getField(value: unknown, field: string): unknown {
  return isDocument(value) && Object.hasOwn(value, field) ? value[field] : undefined;
}

/** What a condition on the path is tried on: each value and, for an array, each of its elements. */
export function candidatesAt(doc: unknown, path: string): unknown[] {
  return valuesAt(doc, path).flatMap((value) => (Array.isArray(value) ? value : [value]));
}

/** What an index holds for the path: as the candidates, but never nothing. */
export function indexedValuesAt(doc: unknown, path: string): unknown[] {
  const values = valuesAt(doc, path).flatMap((value) =>
    Array.isArray(value) && value.length > 0 ? value : [Array.isArray(value) ? undefined : value],
  );
  return values.length > 0 ? values : [undefined];
}

/** Does the path lead through an array or end at one? */
export function traversesArray(doc: unknown, path: string): boolean {
  let current = doc;
  for (const part of path.split('.')) {
    if (Array.isArray(current)) return true;
    current = getField(current, part);
  }
  return Array.isArray(current);
}
