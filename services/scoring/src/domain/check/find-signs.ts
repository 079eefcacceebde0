/**
 * What a phone draws as a picture: characters that are emoji by default, characters with an emoji variation selector,
 * keycaps, flags, and older symbols (hearts, suns, check marks) that also have an emoji form. Digits, ©, ® and ™ are
 * text, and so is any character with U+FE0E.
 */
const emoji =
  /\p{Regional_Indicator}{2}|[#*0-9]\ufe0f?\u20e3|(?![#*0-9])\p{Emoji}\ufe0f|(?:\p{Emoji_Presentation}|(?=\p{Emoji})[\u2600-\u27bf\u{1f000}-\u{1faff}])(?!\ufe0e)/gu;

/** The emoji of a text, each once, in order. */
export function findEmoji(text: string): string[] {
  return [...new Set(text.match(emoji))];
}

/**
 * Faces and hearts made of signs: `:-)`, `;D`, `^_^`, `<3`. A sign that runs into a word does not count, as in
 * "Note:(x)" and "3:Dive".
 */
const emoticon =
  /[:;]['’]?-?[)(](?![\p{L}\p{N}])|(?<![\p{L}\p{N}])[:;=]['’]?-?[DPpOo3|/\\](?![\p{L}\p{N}/])|(?<![\p{L}\p{N}])=-?[)(](?![\p{L}\p{N}])|\^[_.oO-]?\^|(?<![\p{L}\p{N}])(?:[Tt]_[Tt]|[oO]_[oO]|-_-|>_<)(?![\p{L}\p{N}])|<3(?![\p{L}\p{N}])|¯\\_\(ツ\)_\/¯/gu;

/** The emoticons of a text, each once, in order. */
export function findEmoticons(text: string): string[] {
  return [...new Set(text.match(emoticon))];
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
