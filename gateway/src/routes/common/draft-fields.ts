import { z } from 'zod';

/**
 * UTF-16 units, as stores and scoring count: five times the longest text that a store accepts. The document's `maxLength`
 * counts code points. A text never has more code points than units, so a text over `maxLength` is always too long; the
 * description names the exact rule.
 */
export const maxTextLength = 20_000;
const lengthSentence = `At most ${maxTextLength.toLocaleString('en')} UTF-16 units; an emoji has two or more.`;

/** The four texts of a listing, all optional. `constraints` are added to each in the document. */
function createTextFields(constraints: { pattern?: string }) {
  const textField = (description: string, example: string) =>
    z
      .string()
      .refine((text) => text.length <= maxTextLength, `must have at most ${maxTextLength} UTF-16 units`)
      .meta({
        description: `${description} ${lengthSentence}`,
        examples: [example],
        maxLength: maxTextLength,
        ...constraints,
      })
      .optional();
  return {
    title: textField('Name of the app.', 'Habitember: Habit Tracker'),
    subtitle: textField(
      'Subtitle on the App Store, short description on Google Play.',
      'Daily goals and streaks',
    ),
    description: textField('Description of the app.', 'Build habits that last.'),
    kw_field: textField('Keywords field; App Store only.', 'routine,planner,goals'),
  };
}

/** Spread them into a body. */
export const draftFields = createTextFields({});

/** The same for a draft that is saved, which must not contain NUL or the replacement character of decoders. */
export const savedDraftFields = createTextFields({ pattern: '^[^\\u0000\\ufffd]*$' });

type DraftTexts = { [Field in keyof typeof draftFields]?: string | undefined };

/** Picks the texts of a listing from a body with more fields. */
export function toDraft(body: DraftTexts): DraftTexts {
  return {
    title: body.title,
    subtitle: body.subtitle,
    description: body.description,
    kw_field: body.kw_field,
  };
}

export function hasText(body: DraftTexts): boolean {
  return Object.values(toDraft(body)).some((text) => text !== undefined);
}
