import { z } from 'zod';

/** Fields that both stores' answers have. */
export const text = z.string().min(1);
export const webUrl = z.url({ protocol: /^https?$/ });
/** ISO 4217 */
export const currencyCode = z.string().regex(/^[A-Z]{3}$/);
/** 0 where nobody has rated: the lowest that a person can give is 1. */
export const averageScore = z.number().min(0).max(5);
