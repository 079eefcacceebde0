/** `http://host` in front of a path: HTTP/1.1 servers accept it, although only proxies need it. */
const absoluteForm = /^https?:\/\/[^/?]+/i;

/**
 * The path and the query of a request target, or null when it has none, such as `*` or `http://`. The result starts with a
 * slash and has no fragment: Express never has to parse an invalid address.
 */
export function toPathAndQuery(target: string): string | null {
  const [sent = ''] = target.split('#', 1);
  if (sent.startsWith('/')) return sent;
  if (!absoluteForm.test(sent) || !URL.canParse(sent)) return null;
  const rest = sent.replace(absoluteForm, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
