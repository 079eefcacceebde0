/** Characters (code points) of a preview. (decisions, "Fields not shown") */
const previewLength = 160;

/** The beginning of a text, 160 characters at most, never half of a surrogate pair. */
export function previewOf(text: string): string {
  // A character has two units at most, so that no more of a long text has to be taken apart.
  return [...text.slice(0, 2 * previewLength)].slice(0, previewLength).join('');
}
