/** One picture: with a skin tone, with a selector of color or text, or with neither. */
const picture = '\\p{Extended_Pictographic}(?:\\ufe0f?\\p{Emoji_Modifier}|[\\ufe0e\\ufe0f])?';

/**
 * The pattern of what may contain invisible characters as part of an emoji:
 * - a picture, or several with joiners between them (a family)
 * - a keycap
 * - the flag of a region of a country
 */
export const emojiSequence = `[#*0-9]\\ufe0f?\\u20e3|\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}|${picture}(?:\\u200d${picture})*`;

const onePicture = /(\p{Extended_Pictographic})([\ufe0e\ufe0f]?)(\p{Emoji_Modifier}?)/gu;
const isColoredAlone = /^\p{Emoji_Presentation}$/u;

/**
 * The fully qualified form of an emoji, as keyboards write it. The selector of color is only where it changes what is
 * shown, and in all of a joined picture.
 */
export function qualifyEmoji(sequence: string): string {
  const isJoined = sequence.includes('\u200d');
  return sequence.replace(onePicture, (_, base: string, selector: string, tone: string) => {
    if (tone !== '') return base + tone;
    if (isColoredAlone.test(base)) return selector === '\ufe0e' ? base + selector : base;
    return isJoined || selector === '\ufe0f' ? `${base}\ufe0f` : base;
  });
}
