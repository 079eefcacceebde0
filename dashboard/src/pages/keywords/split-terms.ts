/** The most that `POST /keywords` takes. */
export const termsPerCall = 20;

/** The terms of a pasted text, one a line or separated by commas, each once, in calls. */
export function splitTerms(text: string): string[][] {
  const terms = text
    .split(/[\n,;\t]/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
  const own = [...new Set(terms)];
  return Array.from({ length: Math.ceil(own.length / termsPerCall) }, (_, at) =>
    own.slice(at * termsPerCall, (at + 1) * termsPerCall),
  );
}
