/**
 * Whether at least 80 % of the words, by number, are read, so that those still to come change a score little. True
 * when there are none. In whole numbers, so that 12 of 15 are enough.
 */
export function areEnoughRead(words: number, unread: number): boolean {
  return 5 * unread <= words;
}
