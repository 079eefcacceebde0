import { z } from 'zod';
import { StoreFailure } from '../store-failure.ts';

export const text = z.string().min(1);
export const webUrl = z.url({ protocol: /^https?$/ });
/** An app's id on Google Play: its package name, at least two words. */
export const packageName = z.string().regex(/^[A-Za-z]\w*(\.\w+)+$/);
/** 0 to 5; nobody has rated: absent, or 0 (the lowest that a person can give is 1). */
export const averageScore = z.number().min(0).max(5).nullish();
/** ISO 4217 */
export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .nullish();

/** What the scraper made of a page, or a StoreFailure that names what is missing. `page` as in "sent a search page". */
export function parseMapped<Parsed>(schema: z.ZodType<Parsed>, mapped: unknown, page: string): Parsed {
  const parsed = schema.safeParse(mapped);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, 3)
    .map((issue) => `${namePlace(issue.path)}: ${issue.message}`);
  throw new StoreFailure('garbage', `sent ${page} of another shape (${problems.join('; ')})`, {
    cause: parsed.error,
  });
}

/** Rows are counted from 1, like ranks. */
function namePlace(path: PropertyKey[]): string {
  const [first, ...field] = path;
  if (typeof first === 'number') return `row ${first + 1}, ${field.map(String).join('.') || 'all of it'}`;
  return path.map(String).join('.') || 'all of it';
}

/**
 * A rank counts the apps that stand ahead. One that is shown twice has its upper rank and is one app: counted twice,
 * it would push those below a place too far down.
 */
export function dropRepeated<Row extends { appId: string }>(rows: readonly Row[]): Row[] {
  const seen = new Set<string>();
  return rows.filter(({ appId }) => !seen.has(appId) && seen.add(appId));
}
