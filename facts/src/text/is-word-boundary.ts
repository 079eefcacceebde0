import { isUnspaced } from './scripts.ts';

/**
 * Whether a word may start or end at an offset (in UTF-16 units) of a text from `foldWithoutPunctuation`. It may at
 * either end of the text, next to a space, or next to a character of a script without spaces.
 */
export function isWordBoundary(text: string, at: number): boolean {
  const neighbors = [lastCharacter(text.slice(0, at)), firstCharacter(text.slice(at))];
  return neighbors.some((character) => character === '' || character === ' ' || isUnspaced(character));
}

function firstCharacter(text: string): string {
  return [...text.slice(0, 2)][0] ?? '';
}

function lastCharacter(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '';
}
