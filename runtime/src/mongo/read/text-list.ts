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
 * Reads an encoded array of texts. Each use costs a pass over its bytes, which is cheaper than to keep where the texts
 * are. The bytes must not change.
 * @throws TypeError when a value of the array is not a text
 */
export function createTextList(array: Buffer): TextList {
  return {
    length: countTexts(array),
    indexOf(text) {
      const wanted = Buffer.from(text);
      const { length } = wanted;
      // Most texts of equal length end differently: one byte tells without a call.
      const last = wanted[length - 1] ?? 0;
      for (let index = 0, start = findText(array, 4); start > 0; index += 1) {
        const end = start + lengthAt(array, start);
        if (
          end - start === length &&
          (length === 0 || array[end - 1] === last) &&
          array.compare(wanted, 0, length, start, end) === 0
        )
          return index;
        start = findText(array, end + 1);
      }
      return -1;
    },
    at(index) {
      let start = findText(array, 4);
      for (let skipped = 0; skipped < index && start > 0; skipped += 1)
        start = findText(array, start + lengthAt(array, start) + 1);
      return start > 0 ? array.toString('utf8', start, start + lengthAt(array, start)) : undefined;
    },
  };
}

function countTexts(array: Buffer): number {
  let count = 0;
  for (let offset = 4; array[offset] !== 0; count += 1) {
    if (array[offset] !== textType) throw new TypeError('a list of texts holds another value');
    const start = findText(array, offset);
    offset = start + lengthAt(array, start) + 1;
  }
  return count;
}

/**
 * Where the text of the element at `offset` starts; 0 at the end of the array. The array starts with its length in 4
 * bytes and ends with a zero. Each element is its type, its index as digits and a zero, the length of the text with its
 * last zero in 4 bytes, then the text and a zero.
 */
function findText(array: Buffer, offset: number): number {
  if (array[offset] === 0) return 0;
  let end = offset;
  while (array[end] !== 0) end += 1;
  return end + 5;
}

function lengthAt(array: Buffer, start: number): number {
  return array.readInt32LE(start - 4) - 1;
}
