import { tierLabel, tierLabels } from '@shelfwise/facts/tiers';
import type { AxisScores } from '@shelfwise/proto/scoring/v1/scoring';
import { z } from 'zod';
import * as shapes from './shapes.ts';

const score = (description: string, example: number) =>
  shapes.score.meta({ description, examples: [example] });

/** The overall score of a listing and its three axes. */
export const axisScores = z.object({
  global: score('The cube root of the product of the three axes: one at 0 makes it 0.', 74),
  coverage: score('Searched vocabulary that the indexed fields carry.', 97),
  targeting: score('Whether the aimed terms can be won at this app’s size.', 45),
  appeal: score('Rating, screenshots and freshness.', 94),
});

export const tierFields = {
  tier: z
    .int()
    .min(1)
    .max(3)
    .meta({ description: 'Maturity of the app; decides which keywords it can win.', examples: [2] }),
  tier_label: z
    .enum(Object.values(tierLabels))
    .meta({ description: 'The tier in a word.', examples: ['Growing'] }),
};

export const tieredAxisScores = axisScores.extend(tierFields);

/** @throws when a service left out scores that are always there */
export function toAxisScores(scores: AxisScores | null): z.output<typeof axisScores> {
  if (scores === null) throw new Error('a service answered without scores');
  const { global, coverage, targeting, appeal } = scores;
  return { global, coverage, targeting, appeal };
}

/** @throws when a service left out scores that are always there */
export function toTieredAxisScores(scores: AxisScores | null): z.output<typeof tieredAxisScores> {
  return { ...toAxisScores(scores), ...toTierFields(scores?.tier ?? 0) };
}

/** @throws when a service names a tier that does not exist */
export function toTierFields(tier: number) {
  return { tier, tier_label: tierLabel(tier) };
}
