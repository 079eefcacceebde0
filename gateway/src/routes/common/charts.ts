import { Collection } from '@shelfwise/proto/store/v1/store';
import { z } from 'zod';

/** What a store ranks its apps by, as clients write it. */
export const collections = ['free', 'paid', 'grossing'] as const;

export const collection = z
  .enum(collections)
  .meta({ description: 'What it ranks: free apps, paid ones, or all by revenue.', examples: ['free'] });

/** As the services write it. */
export const toCollection: Readonly<Record<z.output<typeof collection>, Collection>> = {
  free: Collection.FREE,
  paid: Collection.PAID,
  grossing: Collection.GROSSING,
};

export const categoryKey = z
  .string()
  .regex(/^[A-Za-z0-9_]{1,64}$/, 'must be OVERALL or a key of GET /api/v1/top-charts/categories')
  .min(1)
  .max(64)
  .meta({
    description: 'OVERALL, a genre id of the App Store or a category of Google Play.',
    examples: ['OVERALL'],
  });
