const maxNamed = 5;

/** `“a”, “b” and 3 more`: the first five. */
export function nameSome(terms: readonly string[]): string {
  const named = terms.slice(0, maxNamed).map((term) => `“${term}”`);
  const more = terms.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
