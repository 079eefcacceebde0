import { z } from 'zod';
import { decodeEntities } from './plain-text.ts';

export const text = z.string().min(1);
/** The stores write some texts with character references, such as `&amp;`. */
export const plainText = text.transform(decodeEntities);
export const webUrl = z.url({ protocol: /^https?$/ });
/** ISO 4217 */
export const currencyCode = z.string().regex(/^[A-Z]{3}$/);
/** 0 for an app without ratings; the lowest possible rating is 1. */
export const averageScore = z.number().min(0).max(5);

/**
 * A field that no rank depends on: null when it is missing or unreadable, so that one odd row does not break the page.
 */
export function orNull<Shape extends z.ZodType>(shape: Shape) {
  return shape.nullable().catch(null as z.output<Shape> | null);
}
