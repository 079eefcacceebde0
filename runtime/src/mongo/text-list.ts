/**
 * The part of a `readonly string[]` that a search needs. An array of texts as the database sent it offers it without
 * creating its texts.
 */
export type TextList = {
  readonly length: number;
  /** -1 when the text is not in the list. */
  indexOf(text: string): number;
  /** Undefined outside of the list. Do not pass negative numbers: an array would count from its end. */
  at(index: number): string | undefined;
};

/** BSON's type of a text. */
const textType = 2;

/**
 * Reads an encoded array of texts. Costs one pass over its bytes. The bytes must not change.
 * @throws TypeError when a value of the array is not a text
 */
export function createTextList(array: Buffer): TextList {
  const starts = findTexts(array);
  const lengthAt = (start: number) => array.readInt32LE(start - 4) - 1;
  return {
    length: starts.length,
    indexOf(text) {
      const wanted = Buffer.from(text);
      const { length } = wanted;
      // Most texts of equal length end differently: one byte tells without a call.
      const last = wanted.at(-1) ?? 0;
      return starts.findIndex(
        (start) =>
          array[start + length - 1] === last &&
          lengthAt(start) === length &&
          array.compare(wanted, 0, length, start, start + length) === 0,
      );
    },
    at(index) {
      const start = starts[index];
      return start === undefined ? undefined : array.toString('utf8', start, start + lengthAt(start));
    },
  };
}

/**
 * The offsets of the texts. The array starts with its length in 4 bytes and ends with a zero. Each element is its type,
 * its place as digits and a zero, the length of the text with its last zero in 4 bytes, then the text and a zero.
 */
function findTexts(array: Buffer): number[] {
  const starts: number[] = [];
  for (let offset = 4; array[offset] !== 0; ) {
    if (array[offset] !== textType) throw new TypeError('a list of texts holds another value');
    while (array[offset] !== 0) offset += 1;
    starts.push(offset + 5);
    offset += 5 + array.readInt32LE(offset + 1);
  }
  return starts;
}
