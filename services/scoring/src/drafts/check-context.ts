import type { DraftContext, NullableNumber } from '@shelfwise/proto/scoring/v1/scoring';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { AuditContext } from '../domain/audit/audit-input.ts';

/** The values of a context that were sent; a key that is absent was not sent. */
export type SentContext = Partial<Omit<AuditContext, 'installs'>>;

type Range = { max: number; min: number; isInteger: boolean; mayBeNull: boolean };

/** The allowed range of each number (decisions, "Fields not shown"). */
const ranges = {
  rating: { min: 0, max: 5, isInteger: false, mayBeNull: true },
  rating_count: { min: 0, max: 1e10, isInteger: true, mayBeNull: false },
  screenshots: { min: 0, max: 100, isInteger: true, mayBeNull: false },
  days_since_update: { min: 0, max: 3650, isInteger: true, mayBeNull: false },
  age_months: { min: 0, max: 600, isInteger: true, mayBeNull: true },
  language_count: { min: 1, max: 500, isInteger: true, mayBeNull: false },
} satisfies Partial<Record<keyof DraftContext, Range>>;

type NumberKey = keyof typeof ranges;

/** @throws INVALID_PARAMS naming every key that is out of its range */
export function checkContext(context: DraftContext): SentContext {
  const sent = new Map<string, number | boolean | null>();
  const problems: Record<string, string> = {};
  for (const key of Object.keys(ranges) as NumberKey[]) {
    const number = context[key];
    if (!number) continue;
    const problem = problemOf(number, ranges[key]);
    if (problem === null) sent.set(key, number.value ?? null);
    else problems[`context.${key}`] = problem;
  }
  if (Object.keys(problems).length > 0) throw invalidParams(problems);
  if (context.has_video != null) sent.set('has_video', context.has_video);
  // Only the keys that may be null in an AuditContext have `mayBeNull`.
  return Object.fromEntries(sent) as SentContext;
}

function problemOf({ value }: NullableNumber, { min, max, isInteger, mayBeNull }: Range): string | null {
  if (value == null) return mayBeNull ? null : 'must not be null';
  if (value >= min && value <= max && (!isInteger || Number.isInteger(value))) return null;
  return `must be a ${isInteger ? 'whole ' : ''}number from ${min} to ${max}${mayBeNull ? ', or null' : ''}`;
}
