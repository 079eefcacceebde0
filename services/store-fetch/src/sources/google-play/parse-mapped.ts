import { z } from 'zod';
import { malformedAnswer } from '../malformed-answer.ts';

/** An app's id on Google Play: its package name, with at least two parts. */
export const packageName = z.string().regex(/^[A-Za-z]\w*(\.\w+)+$/);

/** Checks the scraper's result. @throws StoreFailure that names what is missing */
export function parseMapped<Parsed>(schema: z.ZodType<Parsed>, mapped: unknown): Parsed {
  const parsed = schema.safeParse(mapped);
  if (!parsed.success) throw malformedAnswer(parsed.error);
  return parsed.data;
}
