/** In characters. Shorter parts of an address are words such as `hooks` or `v1`. */
const minLength = 8;
/** Of one that the end of an answer leaves incomplete. */
const minCutLength = 4;

const hidden = '[cut]';

/**
 * The answer of a receiver without path and query of its address, which may be secrets: many servers repeat what they do not know. Each of
 * their parts of 8 or more characters is cut, as it is written and decoded.
 * @param isWhole false: its end may be missing, and is cut where one of these parts is incomplete
 */
export function hideAddress(answer: string, url: string, isWhole: boolean): string {
  const { pathname, search } = new URL(url);
  const path = `${pathname}${search}`;
  const written = [path, pathname, ...path.split(/[/?&=;,:@]/)];
  const texts = new Set([...written, ...written.map(decode)]);
  // The longest first: the others are parts of it.
  const secrets = [...texts].filter(({ length }) => length >= minLength).sort((a, b) => b.length - a.length);
  let shown = isWhole ? answer : hideLast(answer, secrets);
  for (const secret of secrets) shown = shown.replaceAll(secret, hidden);
  return shown;
}

/** The answer without what it ends with of a secret. */
function hideLast(answer: string, secrets: readonly string[]): string {
  for (const secret of secrets)
    for (let length = secret.length; length >= minCutLength; length--)
      if (answer.endsWith(secret.slice(0, length))) return `${answer.slice(0, -length)}${hidden}`;
  return answer;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
