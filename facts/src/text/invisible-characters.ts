import { emojiSequence, qualifyEmoji } from './emoji.ts';

/**
 * Characters without a visible form: ignorable ones of Unicode, annotation marks, and control characters apart from
 * white space.
 */
const invisible =
  '\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\0-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f';

/** Most texts have none, so this test comes before everything that costs more. A keycap may lack its selector. */
const maybeInvisible = new RegExp(`[${invisible}\\u20e3]`, 'u');
/** An emoji with all that belongs to it, or a run of invisible characters outside of emoji. */
const emojiOrInvisible = new RegExp(`(${emojiSequence})|[${invisible}]+`, 'gu');

const joiningScripts =
  'Adlam Arabic Hanifi_Rohingya Mandaic Manichaean Mongolian Nko Phags_Pa Psalter_Pahlavi Sogdian Syriac';
const indicScripts =
  'Balinese Bengali Chakma Devanagari Grantha Gujarati Gurmukhi Javanese Kaithi Kannada Khmer Malayalam Meetei_Mayek Myanmar Newa Oriya Sharada Sinhala Sundanese Tamil Telugu Tibetan Tirhuta';
const joiningLetter = `(?=[\\p{L}\\p{M}])[${`${joiningScripts} ${indicScripts}`
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('')}]`;
const endsJoining = new RegExp(`${joiningLetter}$`, 'u');
const startsJoining = new RegExp(`^${joiningLetter}`, 'u');
/** The sign that takes the vowel from a consonant, in Indic scripts; a joiner after it also changes the end of a word. */
const endsWithVirama = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2]$/u;

/**
 * A text without invisible characters: texts that look the same are the same. Joiners that are spelling stay, between
 * letters of joining or Indic scripts (Persian `می‌خواهم`). So do emoji and white space.
 */
export function withoutInvisible(text: string): string {
  if (!maybeInvisible.test(text)) return text;
  let rest = text;
  // What an invisible character kept apart may be one emoji without it.
  for (let pass = 0; pass < maxPasses; pass++) {
    const before = rest;
    rest = removeOnce(before);
    if (rest === before) break;
  }
  return rest;
}

/** Three are enough for every text that is not made to need more; the limit bounds the time of those. */
const maxPasses = 8;

function removeOnce(text: string): string {
  return text
    .replace(emojiOrInvisible, (run: string, emoji: string | undefined, at: number) =>
      emoji === undefined ? spelledJoiner(text, run, at) : qualifyEmoji(emoji),
    )
    .replace(bareKeycap, '$1\ufe0f\u20e3');
}

/** A keycap without its selector of color, also one whose parts an invisible character kept apart. */
const bareKeycap = /([#*0-9])\u20e3/gu;

/**
 * The characters of a text that show nothing and belong neither to its spelling nor to an emoji, each once, in order.
 */
export function findInvisible(text: string): string[] {
  if (!maybeInvisible.test(text)) return [];
  const found = new Set<string>();
  for (const match of text.matchAll(emojiOrInvisible)) {
    const [run, emoji] = match;
    if (emoji !== undefined || spelledJoiner(text, run, match.index) === run) continue;
    for (const character of run) found.add(character);
  }
  return [...found];
}

/** What is seen: not white space, invisible, unassigned, or the blank of Braille. */
const visible = new RegExp(`(?![\\s\\u0085\\u2800${invisible}])(?:\\P{Cn}|\\p{Extended_Pictographic})`, 'u');

/** Whether a text has no visible character. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/** The joiner that a run of invisible characters stands for between these characters; empty if there is none. */
function spelledJoiner(text: string, run: string, at: number): string {
  const joiner = /[\u200c\u200d]/u.exec(run)?.[0];
  if (joiner === undefined) return '';
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + run.length, at + run.length + 2);
  if (endsJoining.test(before) && startsJoining.test(after)) return joiner;
  return joiner === '\u200d' && endsWithVirama.test(before) ? joiner : '';
}
