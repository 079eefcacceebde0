/** The most that `POST /keywords` takes. */
export const termsPerCall = 20;

/** The terms of a pasted text, one a line or separated by commas, each once, in calls. */
export function splitTerms(text: string): string[][] {
  const terms = text
    .split(/[\n,;\t]/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
  return callsOf([...new Set(terms)]);
}

/** In calls of as many terms as one takes. */
export function callsOf(terms: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(terms.length / termsPerCall) }, (_, at) =>
    terms.slice(at * termsPerCall, (at + 1) * termsPerCall),
  );
}
