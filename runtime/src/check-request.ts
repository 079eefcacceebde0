import { daysInWindow, isDay } from './day.ts';
import { invalidParams } from './errors.ts';

/**
 * The bounds of every request, checked by each service for callers that bypass the gateway. Every check throws
 * INVALID_PARAMS with the name of the field.
 */

/** In UTF-16 units. */
const maxAccountIdLength = 64;
const maxWindowDays = 400;
const maxPage = 1_000_000;
const maxPerPage = 200;

/** 1 to 64 UTF-16 units. */
export function checkAccountId(accountId: string): string {
  return checkText('account_id', accountId, 1, maxAccountIdLength);
}

/** A text of `min` to `max` UTF-16 units. */
export function checkText(field: string, text: string, min: number, max: number): string {
  if (text.length < min || text.length > max)
    throw invalidParams({ [field]: `must have ${min} to ${max} characters` });
  return text;
}

/** An internal id: a positive integer. */
export function checkId(field: string, id: number): number {
  return checkInteger(field, id, 1, Number.MAX_SAFE_INTEGER);
}

/** An upper limit that a request may set, 0 or more. Null when the request sets none. */
export function checkCap(field: string, cap: number | null | undefined): number | null {
  return cap == null ? null : checkInteger(field, cap, 0, Number.MAX_SAFE_INTEGER);
}

/** A whole number from `min` to `max`, both included. */
export function checkInteger(field: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw invalidParams({ [field]: `must be a whole number from ${min} to ${max}` });
  return value;
}

/** An existing day, as YYYY-MM-DD. */
export function checkDay(field: string, day: string): string {
  if (!isDay(day)) throw invalidParams({ [field]: 'must be a date, YYYY-MM-DD' });
  return day;
}

/** Two existing days in order, at most 400 days including both ends. */
export function checkWindow(from: string, to: string): { from: string; to: string } {
  const days = daysInWindow(checkDay('from', from), checkDay('to', to));
  if (days < 1) throw invalidParams({ from: 'must not be after to' });
  if (days > maxWindowDays)
    throw invalidParams({ from: `must be at most ${maxWindowDays - 1} days before to` });
  return { from, to };
}

/** The rows of page `page`, counted from 1, of up to `maxRows` rows: how many to skip and how many to read. */
export function checkPage(
  { page, per_page: perPage }: { page: number; per_page: number },
  maxRows = maxPerPage,
): { skip: number; limit: number } {
  const limit = checkInteger('per_page', perPage, 1, maxRows);
  return { skip: (checkInteger('page', page, 1, maxPage) - 1) * limit, limit };
}
