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

const reason = z
  .enum(['no_results', 'unsearched', 'brand', 'few_results'])
  .nullable()
  .meta({
    description:
      'What held the score down, the first that applies. no_results: the page is empty, so it is 0. unsearched: people do not search the keyword, or it is not known yet (is_searched null), so it is at most 19.9. brand: the keyword names a brand (is_navigational), so it is at most 39.9. few_results: the page has fewer than five results and counts for results / 5. Null: nothing.',
    examples: ['few_results'],
  });

/** In lists of keywords, next to `kei_score`. */
export const keiReason = reason.meta({
  description:
    'What holds kei_score down, the first that applies. no_results: the page is empty, so it is 0. unsearched: people are not known to search the keyword, so it is at most 19.9. brand: the keyword names a brand, so it is at most 39.9. few_results: the page has fewer than five results and counts for results / 5. Null: nothing, or it was scored before this was kept.',
  examples: ['few_results'],
});

/** @throws for an unknown reason, which no reply may contain */
export function toKeiReason(given: string | null | undefined): z.output<typeof keiReason> {
  return given == null ? null : reason.parse(given);
}

/** Next to the scores of a keyword. */
export const keiFields = {
  kei: z
    .object({ score: keiScore, level, reason })
    .nullable()
    .meta({ description: 'KEI of the keyword; null when one of the two scores is null.' }),
  is_navigational: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Whether the keyword names a brand: people who search it want one app. False on a page of fewer than five results, which is too little to tell. Null: too little was read.',
      examples: [false],
    }),
  is_searched: z
    .boolean()
    .nullable()
    .meta({
      description:
        'Whether people search the keyword. Without searches the KEI is `poor`. Null: too little was read, or the store’s suggestions are not known yet (is_partial) and no title of the top 5 proves it.',
      examples: [true],
    }),
};

/** @throws for an unknown level or reason, which no reply may contain */
export function toKei(
  kei: { score: number; level: string; reason?: string | null | undefined } | null | undefined,
): z.output<typeof keiFields.kei> {
  if (!kei) return null;
  return { score: kei.score, level: level.parse(kei.level), reason: toKeiReason(kei.reason) };
}
