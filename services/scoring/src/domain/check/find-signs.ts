import type { Store } from '@shelfwise/facts/stores/store';
import { emojiSequence } from '@shelfwise/facts/text/emoji';

const sequence = new RegExp(`\\p{Regional_Indicator}{2}|${emojiSequence}|\\p{Emoji_Modifier}`, 'gu');

/** Flags, keycaps, joined pictures, and pictures with a skin tone or with the selector of color. */
const shownAsEmoji =
  /^\p{Regional_Indicator}|(?:\u20e3|\u{e007f}|\u200d|\p{Emoji_Modifier})|^(?=\p{Emoji}|\p{Cn}).\ufe0f/u;
/** A picture that is in color by itself. Emoji newer than this program's Unicode are unassigned characters to it. */
const coloredAlone = /^(?:\p{Emoji_Presentation}|(?=\p{Emoji}|\p{Cn})[\u{1f000}-\u{1faff}])(?!\ufe0e)/u;
/** Hearts, suns, check marks: older symbols that have an emoji form, too. */
const olderSymbol = /^(?=\p{Emoji})[\u2600-\u27bf](?!\ufe0e)/u;

/**
 * The emoji of a text, each once, in order: what a phone draws as a picture. Digits, ©, ® and ™ are text, and so is any
 * character with U+FE0E. Older symbols without the selector of color count on Google Play only: the App Store has
 * listings with them.
 */
export function findEmoji(store: Store, text: string): string[] {
  const found = text.match(sequence)?.filter((emoji) => isEmoji(store, emoji));
  return [...new Set(found)];
}

function isEmoji(store: Store, emoji: string): boolean {
  return (
    shownAsEmoji.test(emoji) || coloredAlone.test(emoji) || (store === 'GPLAY' && olderSymbol.test(emoji))
  );
}

/** Accepted signs of brands, degrees and numbers: Unicode lists them as symbols. */
const acceptedSymbols = new Set('™®©°№');

/** Pictographs and other symbols that are no emoji of the App Store, each once, in order. ™ ® © ° № do not count. */
export function findSymbols(text: string): string[] {
  const withoutEmoji = text.replace(sequence, (emoji) => (isEmoji('ITUNES', emoji) ? '' : emoji));
  // The blank of Braille shows nothing; it is reported as invisible.
  const symbols = withoutEmoji.match(/(?!\u2800)\p{So}/gu) ?? [];
  return [...new Set(symbols)].filter((symbol) => !acceptedSymbols.has(symbol));
}

/**
 * Faces and hearts made of signs: `:-)`, `(:`, `;D`, `^_^`, `<3`. A sign that runs into a word does not count, as in
 * "Note:(x)" and "3:Dive".
 */
const emoticon =
  /[:;：；]['’]?[-^]?[)(）（](?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?:\(-?[:;]|[:;]-?[\]}]|:-\*)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])[:;=]['’]?-?[DPpOo3](?![\p{L}\p{N}/])|(?<![\p{L}\p{N}])[:;]['’]?-?[|/\\](?![\p{L}\p{N}/])|(?<![\p{L}\p{N}])=-?[)(](?![\p{L}\p{N}])|\^[_.oO-]?\^|(?<![\p{L}\p{N}])(?:[Tt]_[Tt]|[oO]_[oO]|-_-|>_<)(?![\p{L}\p{N}])|(?<![\p{L}\p{N}"'/>])>\.<(?![\p{L}\p{N}/!])|<\/?3(?![\p{L}\p{N}])|¯\\_\(ツ\)_\/¯/gu;

/** The emoticons of a text, each once, in order. A bracket that has its other half in the line is no mouth. */
export function findEmoticons(text: string): string[] {
  const found = new Set<string>();
  for (const { 0: face, index } of text.matchAll(emoticon))
    if (!found.has(face) && !isPaired(text, index, index + face.length)) found.add(face);
  return [...found];
}

/** In UTF-16 units; the other half of a bracket is not looked for farther away. */
const farthestHalf = 200;

/** The halves of brackets, in all their widths. */
const brackets = [
  ['(（', ')）'],
  ['[', ']'],
  ['{', '}'],
] as const;

/** Whether the mouth of the face `text.slice(start, end)` is half of a pair of brackets, as in "(see below:)". */
function isPaired(text: string, start: number, end: number): boolean {
  const [first = '', last = ''] = [text[start], text[end - 1]];
  for (const [opening, closing] of brackets) {
    if (closing.includes(last)) {
      const before =
        text
          .slice(Math.max(0, start - farthestHalf), start)
          .split('\n')
          .at(-1) ?? '';
      return !closing.includes(text[end] ?? ' ') && hasLooseHalf([...before].reverse(), opening, closing);
    }
    if (opening.includes(first) || opening.includes(last)) {
      const after = text.slice(end, end + farthestHalf).split('\n', 1)[0] ?? '';
      return hasLooseHalf([...after], closing, opening);
    }
  }
  return false;
}

/** Whether one of `halves` comes up that none of `otherHalves` before it belongs to. */
function hasLooseHalf(characters: readonly string[], halves: string, otherHalves: string): boolean {
  let open = 0;
  for (const character of characters) {
    if (otherHalves.includes(character)) open++;
    else if (halves.includes(character) && open-- === 0) return true;
  }
  return false;
}

/**
 * A sign three times in a row, with or without spaces between ("★ ★ ★"); "!", "?" and symbols already twice. Three
 * dots are one ellipsis.
 */
const repeated =
  /([!?])\1+|(?!\p{Emoji_Presentation})(\p{So}|\p{Sc})(?:\ufe0f? ?\2)+|(?!(?<!\.)\.{3}(?! ?\.))([\p{P}\p{Sm}\p{Sk}])(?: ?\3){2,}/gu;

/** The runs of one special character in a text, each once, in order. */
export function findRepeatedSigns(text: string): string[] {
  return [...new Set(text.match(repeated))];
}
