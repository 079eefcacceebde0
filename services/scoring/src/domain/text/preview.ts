/** Characters (code points) of a preview. (decisions, "Fields not shown") */
const previewLength = 160;

/** The start of a text, at most 160 characters, never half of a surrogate pair. */
export function previewOf(text: string): string {
  // A character has at most two units, so this much of a long text is enough.
  return [...text.slice(0, 2 * previewLength)].slice(0, previewLength).join('');
}
