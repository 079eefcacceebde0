/** The most that `POST /keywords` takes. */
export const termsPerCall = 20;
/** A job takes 1,000; a body with this number is below 256 KiB in any script. */
export const termsPerJob = 500;

/** The terms of a pasted text, one a line or separated by commas, each once, in calls. */
export function splitTerms(text: string): string[][] {
  const terms = text
    .split(/[\n,;\t]/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
  return callsOf([...new Set(terms)]);
}

/** In calls of as many terms as one takes. */
export function callsOf(terms: readonly string[], perCall = termsPerCall): string[][] {
  return Array.from({ length: Math.ceil(terms.length / perCall) }, (_, at) =>
    terms.slice(at * perCall, (at + 1) * perCall),
  );
}
