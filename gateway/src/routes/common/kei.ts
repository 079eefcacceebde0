import { z } from 'zod';

const level = z
  .enum(['excellent', 'good', 'fair', 'poor'])
  .meta({ description: 'Rating of the score in one word.', examples: ['good'] });

/** KEI, 0 to 100 with one decimal. */
export const keiScore = z
  .number()
  .min(0)
  .max(100)
  .meta({ description: 'KEI: demand against competition, 0 to 100.', examples: [47.3] });

/** Next to the scores of a keyword. */
export const keiFields = {
  kei: z
    .object({ score: keiScore, level })
    .nullable()
    .meta({ description: 'KEI of the keyword; null when one of the two scores is null.' }),
  is_navigational: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Whether the keyword names a brand: people who search it want one app. Null: too little was read.',
      examples: [false],
    }),
  is_searched: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Whether people search the keyword. Without searches the KEI is `poor`. Null: too little was read.',
      examples: [true],
    }),
};

/** @throws for an unknown level, which no reply may contain */
export function toKei(
  kei: { score: number; level: string } | null | undefined,
): { score: number; level: z.output<typeof level> } | null {
  return kei ? { score: kei.score, level: level.parse(kei.level) } : null;
}
