import { z } from 'zod';

/** Fields that the answers of both stores have in common. */
export const text = z.string().min(1);
export const webUrl = z.url({ protocol: /^https?$/ });
/** ISO 4217 */
export const currencyCode = z.string().regex(/^[A-Z]{3}$/);
/** 0 for an app without ratings; the lowest possible rating is 1. */
export const averageScore = z.number().min(0).max(5);
