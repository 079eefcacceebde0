import { isDocument } from './values.ts';

const arrayIndex = /^(0|[1-9]\d*)$/;

export function isArrayIndex(part: string): boolean {
  return arrayIndex.test(part);
}

/**
 * The values at a dotted path. Arrays along the path are expanded, and a missing field gives `undefined`. The result
 * is empty if the path meets an array without documents.
 */
export function getValues(doc: unknown, path: string): unknown[] {
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

/** The values that a condition on the path is tested against: each value and each element of an array. */
export function getCandidates(doc: unknown, path: string): unknown[] {
  return getValues(doc, path).flatMap((value) => (Array.isArray(value) ? value : [value]));
}

/** The values that an index stores for the path: the candidates, or `undefined` where there are none. */
export function getIndexedValues(doc: unknown, path: string): unknown[] {
  const values = getValues(doc, path).flatMap((value) =>
    Array.isArray(value) && value.length > 0 ? value : [Array.isArray(value) ? undefined : value],
  );
  return values.length > 0 ? values : [undefined];
}

/** Reports whether the path passes through an array or ends at one. */
export function traversesArray(doc: unknown, path: string): boolean {
  let current = doc;
  for (const part of path.split('.')) {
    if (Array.isArray(current)) return true;
    current = getField(current, part);
  }
  return Array.isArray(current);
}

/** Reports whether the path passes through an array. An array at its end does not count. */
export function leadsThroughArray(doc: unknown, path: string): boolean {
  const parentEnd = path.lastIndexOf('.');
  return parentEnd !== -1 && traversesArray(doc, path.slice(0, parentEnd));
}
