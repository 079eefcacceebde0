import { isPrice } from './readable-row.ts';
import { valueAt } from './value-at.ts';

/**
 * An app's details without what makes the scraper fail or guess. It splits the developer's link, converts the
 * description, counts stars, and takes null for a number. What is left out here is missing in its result, or not in
 * use.
 */
export function readableDetails(details: readonly unknown[]): unknown[] {
  const isText = (...path: (number | string)[]) => typeof valueAt(details, path) === 'string';
  const isNumber = (...path: (number | string)[]) => typeof valueAt(details, path) === 'number';
  const copy = [...details];
  for (const position of unused) if (position in copy) copy[position] = null;
  if (!isText(12, 0, 0, 1)) copy[12] = null;
  if (!isText(72, 0, 1)) copy[72] = [[null, '']];
  copy[51] = [valueAt(details, [51, 0]) ?? null, null, valueAt(details, [51, 2]) ?? null];
  if (!isPrice(valueAt(details, [57, 0, 0, 0, 0, 1, 0, 0]))) copy[57] = null;
  copy[68] = [valueAt(details, [68, 0]) ?? null, [null, null, null, null, [null, null, 'id=']]];
  if (!Array.isArray(valueAt(details, [78, 0]))) copy[78] = null;
  copy[140] = [valueAt(details, [140, 0]) ?? null];
  if (!isNumber(145, 0, 1, 0)) copy[145] = null;
  const last = details.at(-1);
  if (details.length > lastPosition) copy[copy.length - 1] = fallbacks(last);
  return copy;
}

/** Contact data of the developer, and further categories. */
const unused = [69, 118] as const;

/** The highest position that is in use. Behind it, the last element may be an object with further parts. */
const lastPosition = 145;

/** The parts of that object in which the scraper looks for a version and a date that are not at their usual positions. */
function fallbacks(last: unknown): unknown {
  const date = valueAt(last, ['146', 0, 1, 0]);
  const version = [valueAt(last, ['141', 0]) ?? null];
  return typeof date === 'number' ? { 141: version, 146: [[null, [date]]] } : { 141: version };
}
