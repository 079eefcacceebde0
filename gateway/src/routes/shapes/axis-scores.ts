import { tierLabel, tierLabels } from '@shelfwise/facts/tiers';
import type { AxisScores } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import * as shapes from './shapes.ts';

const score = (description: string, example: number) =>
  shapes.score.meta({ description, examples: [example] });

/** The overall score of a listing and its three axes. */
export const axisScores = z.object({
  global: score(
    'Overall score: the cube root of the product of the three axes. An axis of 0 makes it 0.',
    74,
  ),
  coverage: score('How much searched vocabulary the indexed fields carry.', 97),
  targeting: score('Whether an app of this size can rank for the terms that it targets.', 45),
  appeal: score('Rating, screenshots and freshness of the listing.', 94),
});

export const tierFields = {
  tier: z
    .int()
    .min(1)
    .max(3)
    .meta({ description: 'Maturity of the app; decides which keywords it can rank for.', examples: [2] }),
  tier_label: z
    .enum(Object.values(tierLabels))
    .meta({ description: 'Name of the tier.', examples: ['Growing'] }),
};

export const tieredAxisScores = axisScores.extend(tierFields);

/** @throws when the scores are missing from a service's reply */
export function toAxisScores(scores: AxisScores | null): z.output<typeof axisScores> {
  if (scores === null) throw new Error('the reply of a service has no scores');
  const { global, coverage, targeting, appeal } = scores;
  return { global, coverage, targeting, appeal };
}

/** @throws when the scores are missing from a service's reply */
export function toTieredAxisScores(scores: AxisScores | null): z.output<typeof tieredAxisScores> {
  return { ...toAxisScores(scores), ...toTierFields(scores?.tier ?? 0) };
}

/** @throws for an unknown tier */
export function toTierFields(tier: number) {
  return { tier, tier_label: tierLabel(tier) };
}
