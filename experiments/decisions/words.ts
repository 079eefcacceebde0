/**
 * The words of the recorded store. The rules are plain on purpose and are not those of the scoring service: the listings and
 * their subtitles must stay the same when its rules change.
 */
const fillers = new Set('the a an and or of for to in on with your you my by is at from'.split(' '));
/** Separates a brand from the rest of a title. */
const separator = /\s+[-–—|]\s+|:\s+|\s+by\s+/;
/** The limit of a subtitle in the App Store. */
const maxSubtitle = 30;

/** Lower-case words, also parts of `photo-editor`. */
export function wordsIn(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}']+/gu) ?? []
  );
}

export function isFiller(word: string): boolean {
  return fillers.has(word);
}

/** The words that name something. */
export function contentWordsIn(text: string): string[] {
  return wordsIn(text).filter((word) => !isFiller(word));
}

/** The singular and the plural of a word as one. */
export function singularOf(word: string): string {
  return word.length >= 4 && word.endsWith('s') && !/(ss|us|is)$/.test(word) && word !== 'news'
    ? word.slice(0, -1)
    : word;
}

/** `Streaks: Habit Tracker` is `Streaks` and `Habit Tracker`; a title without a separator has no tail. */
export function splitTitle(title: string): { brand: string; tail: string } {
  const brand = (title.split(separator, 1)[0] ?? '').trim();
  const tail = title.slice(title.indexOf(brand) + brand.length).replace(/^\s*[-–—|:]\s*|^\s*by\s+/, '');
  return { brand, tail: tail.trim() };
}

/** Whole words of a text, without signs, within the limit of a subtitle. */
export function toSubtitle(text: string): string {
  let subtitle = text
    .replace(/[^\p{L}\p{N}' &,]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  while (subtitle.length > maxSubtitle) {
    const lastSpace = subtitle.lastIndexOf(' ');
    subtitle = subtitle.slice(0, lastSpace > 0 ? lastSpace : maxSubtitle);
  }
  return subtitle.replace(/[ ,&]+$/, '');
}

/** A number from 0 to 2^32 - 1 that looks random and is always the same for the same ids. */
export function scatter(...ids: number[]): number {
  let hash = 0x811c9dc5;
  for (const id of ids) {
    hash = Math.imul(hash ^ id, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}
