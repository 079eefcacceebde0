import { countUnits, maxKeywordsFieldUnits } from '@shelfwise/facts/stores/listing-fields';
import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import { z } from 'zod';
import * as shapes from './shapes.ts';

/** Schemas that the endpoints of the kept keywords field share. */

const example = 'goals,mood,streak,diary';

/**
 * In the document `maxLength` counts code points. A text has at most as many code points as units, unless it has line breaks of
 * two characters, which count as one unit.
 */
export const keptFieldInput = z
  .string()
  .refine(
    (text) => countUnits(text) <= maxKeywordsFieldUnits,
    `must have at most ${maxKeywordsFieldUnits} characters, as the App Store counts them (UTF-16 units)`,
  )
  .refine((text) => !hasInvalidCharacters(text), 'must not contain NUL or broken Unicode')
  .meta({
    description: `The keywords field as it is in App Store Connect: at most ${maxKeywordsFieldUnits} UTF-16 units; an emoji has two or more. Empty: the field is empty.`,
    examples: [example],
    maxLength: maxKeywordsFieldUnits,
    pattern: '^[^\\u0000\\ufffd]*$',
  });

const keptText = z.string().meta({ description: 'The kept keywords field.', examples: [example] });

/** A kept field. */
export const keptField = z.object({
  app_id: shapes.internalId,
  kw_field: keptText,
  updated_at: shapes.timestamp.meta({ description: 'When the text last changed.' }),
});

/** A kept field, or none. */
export const maybeKeptField = keptField.extend({
  kw_field: keptText
    .nullable()
    .meta({ description: 'The kept keywords field; null: none is kept, so it is unknown.' }),
  updated_at: shapes.timestamp
    .nullable()
    .meta({ description: 'When the text last changed; null when none is kept.' }),
});
