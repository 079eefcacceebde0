import { z } from 'zod';

/**
 * The longest text in UTF-16 units, as stores and scoring count: five times the longest that a store accepts. In the
 * document `maxLength` counts code points. That is never stricter, because a text has at most as many code points as
 * units; the description names the exact rule.
 */
export const maxTextLength = 20_000;
const lengthSentence = `At most ${maxTextLength.toLocaleString('en')} UTF-16 units; an emoji has two or more.`;

/** The four texts of a listing, all optional. `constraints` go into the document only; they validate nothing. */
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

/** The texts of a draft that is only checked; spread them into a body. */
export const draftFields = createTextFields({});

/** The texts of a draft that is saved. The route refuses NUL and the replacement character of decoders. */
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

/** Whether one of the four texts was sent. An empty text counts. */
export function hasText(body: DraftTexts): boolean {
  return Object.values(toDraft(body)).some((text) => text !== undefined);
}
