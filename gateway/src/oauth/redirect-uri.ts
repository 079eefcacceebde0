/** RFC 8252: where a program on the machine of its user listens. */
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Schemes of assistants that do not have the form of RFC 8252, which is a domain name from its end. Other schemes without this form
 * are refused: what they start is not known.
 */
const knownSchemes = ['cursor', 'vscode', 'vscode-insiders', 'vscodium', 'windsurf', 'zed', 'goose'];

const maxLength = 2000;

/** Why a client cannot be sent back to this address; null when it can. */
export function explainRedirect(text: string): string | null {
  if (text.length > maxLength) return `has more than ${maxLength} characters`;
  // The parser drops or turns these silently: the text would name another host than the one that is opened.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return 'contains a blank, a backslash or an invisible character';
  if (!URL.canParse(text)) return 'is not a valid URL';
  const url = new URL(text);
  if (text.includes('#')) return 'must not contain a fragment (#)';
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text))
    return 'must not contain a user name or password';
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'https') return null;
  if (scheme === 'http')
    return loopbackHosts.includes(url.hostname) ? null : 'must be https, or http to this machine (127.0.0.1)';
  return scheme.includes('.') || knownSchemes.includes(scheme)
    ? null
    : 'must be https, http to this machine (127.0.0.1), or a scheme such as com.example.app';
}

/**
 * Whether a client that registered one address may be sent to the other: the same text, character by character. Only the port of
 * an address on the machine of its user may differ, because the system assigns it (RFC 8252, 7.3).
 */
export function matchesRedirect(requested: string, registered: string): boolean {
  if (requested === registered) return true;
  const [one, other] = [requested, registered].map(withoutLoopbackPort);
  return one !== null && one === other;
}

/** Null unless it is on this machine. The text is cut, not parsed and written again: other spellings stay different. */
function withoutLoopbackPort(text: string | undefined): string | null {
  const parts = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(\/.*)?$/.exec(text ?? '');
  return parts && explainRedirect(text ?? '') === null ? `${parts[1]}${parts[2] ?? ''}` : null;
}

/** Shows people where they are sent: the host, or the scheme of a program. */
export function redirectHostOf(text: string): string {
  const { protocol, host } = new URL(text);
  return /^https?:$/.test(protocol) ? host : protocol;
}

/** The address with these parameters added; null ones are left out. What it has stays as it is written. */
export function withParameters(text: string, parameters: Readonly<Record<string, string | null>>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) added.set(name, value);
  return `${text}${text.includes('?') ? '&' : '?'}${added}`;
}
