import { isUnspaced } from './scripts.ts';

/**
 * Whether a word may begin or end at a place of a spelled text (in UTF-16 units): at its ends, at a space, or beside a
 * character of a script without spaces.
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
