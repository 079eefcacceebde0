import { z } from 'zod';

/**
 * UTF-16 units, as stores and scoring count: five times what a store takes. The document's `maxLength` counts code
 * points, of which a text has no more than units: what is over it is surely too long, and the description says the rest.
 */
export const maxTextLength = 20_000;
const lengthSentence = `At most ${maxTextLength.toLocaleString('en')} UTF-16 units, of which an emoji has two or more.`;

/** The four texts of a listing, each of which may be left out; `more` is what the document says of each beside that. */
function textFields(more: { pattern?: string }) {
  const textField = (description: string, example: string) =>
    z
      .string()
      .refine((text) => text.length <= maxTextLength, `must have at most ${maxTextLength} UTF-16 units`)
      .meta({
        description: `${description} ${lengthSentence}`,
        examples: [example],
        maxLength: maxTextLength,
        ...more,
      })
      .optional();
  return {
    title: textField('Name of the app.', 'Habitember: Habit Tracker'),
    subtitle: textField(
      'Subtitle on the App Store, short description on Google Play.',
      'Daily goals and streaks',
    ),
    description: textField('Description.', 'Build habits that last.'),
    kw_field: textField('Keywords field; App Store only.', 'routine,planner,goals'),
  };
}

/** Spread them into a body. */
export const draftFields = textFields({});

/** The same of a draft that is kept, and thus must hold nothing broken: NUL, or the mark for what could not be read. */
export const keptDraftFields = textFields({ pattern: '^[^\\u0000\\ufffd]*$' });

type DraftTexts = { [Field in keyof typeof draftFields]?: string | undefined };

/** The texts alone, of a body that has more fields. */
export function toDraft({ title, subtitle, description, kw_field: kwField }: DraftTexts): DraftTexts {
  return { title, subtitle, description, kw_field: kwField };
}

export function hasText(body: DraftTexts): boolean {
  return Object.values(toDraft(body)).some((text) => text !== undefined);
}
