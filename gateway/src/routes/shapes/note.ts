import type { Note } from '@shelfwise/proto/tracking/v1/tracking';
import { z } from 'zod';
import { toTimestamp } from '../answers/from-proto.ts';
import * as shapes from './shapes.ts';

/** What an account notes about a day of an application. */
export const note = z.object({
  id: shapes.rowId('Id of the note.', 3),
  date: shapes.date.meta({ description: 'The UTC day that the note is about.' }),
  text: z.string().meta({ description: 'The note.', examples: ['Ads began'] }),
  created_at: shapes.timestamp.meta({ description: 'When it was written.' }),
});

/** @throws when the reply has no time */
export function toNote({ id, date, text, created_at }: Note): z.output<typeof note> {
  return { id, date, text, created_at: toTimestamp(created_at) };
}
