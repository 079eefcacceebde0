import { z } from 'zod';
import { unlikeShape } from '../app-store/garbage.ts';

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

/** What the scraper made of a page. @throws StoreFailure that names what is missing */
export function parseMapped<Parsed>(schema: z.ZodType<Parsed>, mapped: unknown): Parsed {
  const parsed = schema.safeParse(mapped);
  if (!parsed.success) throw unlikeShape(parsed.error);
  return parsed.data;
}
