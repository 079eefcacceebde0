import { z } from 'zod';

const warnings = z
  .array(z.literal('history_save_failed'))
  .max(1)
  .meta({
    description: 'The answer is valid, but it is not in the history.',
    examples: [['history_save_failed']],
  });

/** The meta of an answer that is to be found in a history again; absent when it is. */
export const historyMeta = z.object({ warnings }).optional();

/** The same beside other things that a meta says. */
export const historyMetaFields = { warnings: warnings.optional() };

export function toHistoryMeta(isSaved: boolean): z.output<typeof historyMeta> {
  return isSaved ? undefined : { warnings: ['history_save_failed'] };
}
