/** How many items of a list an example shows. */
const maxItems = 5;

/**
 * Shortens every list in an answer to its first five items. The summary names each shortened list by its path, with the
 * length of the longest one there.
 */
export function shortenLists<Answer>(answer: Answer): { summary: string; value: Answer } {
  const lengths = new Map<string, number>();

  function shorten(value: unknown, path: string): unknown {
    if (Array.isArray(value)) {
      if (value.length > maxItems) lengths.set(path, Math.max(value.length, lengths.get(path) ?? 0));
      return value.slice(0, maxItems).map((item) => shorten(item, `${path}[]`));
    }
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [
        key,
        shorten(field, path === '' ? key : `${path}.${key}`),
      ]),
    );
  }

  const value = shorten(answer, '') as Answer;
  const shortened = [...lengths].map(([path, length]) => `${path} (of ${length})`);
  const summary =
    shortened.length === 0
      ? 'A complete answer.'
      : `Shortened to the first ${maxItems} items: ${shortened.join(', ')}.`;
  return { summary, value };
}
