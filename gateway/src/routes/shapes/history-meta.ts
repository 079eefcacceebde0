import { z } from 'zod';

const warnings = z
  .array(z.literal('history_save_failed'))
  .max(1)
  .meta({
    description: 'history_save_failed: the answer is valid, but it could not be saved in the history.',
    examples: [['history_save_failed']],
  });

/** The meta of an answer that belongs in a history; absent when it was saved there. */
export const historyMeta = z.object({ warnings }).optional();

export function toHistoryMeta(isSaved: boolean): z.output<typeof historyMeta> {
  return isSaved ? undefined : { warnings: ['history_save_failed'] };
}
