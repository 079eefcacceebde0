/** In how many of the lists each text stands; each list holds a text once at most. */
export function countTexts(lists: readonly Iterable<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const text of list) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
