/** The noun in the form that follows a count: 1 page, 0 pages. The plural is the noun with an s. */
export function nounFor(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}
