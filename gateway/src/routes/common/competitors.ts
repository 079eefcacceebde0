import { z } from 'zod';

/** Names one application as a competitor of another. */
export const relationId = z
  .int()
  .min(1)
  .meta({ description: 'Relation id: one per application and competitor.', examples: [5] });
