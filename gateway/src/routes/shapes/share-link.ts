import { z } from 'zod';
import * as shapes from './shapes.ts';

/** A link that shows one application, without its address. */
export const shareLink = z.object({
  id: shapes.rowId('Id of the link.', 3),
  label: z.string().meta({ description: 'Its name.', examples: ['For the agency'] }),
  created_at: shapes.timestamp.meta({ description: 'When it was made.' }),
  expires_at: shapes.timestamp.meta({ description: 'When it ends by itself.' }),
});
