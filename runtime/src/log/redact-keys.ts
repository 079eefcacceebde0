/** Percent-encoded characters of a key, and the percent sign itself, which several layers of encoding repeat. */
const encodedCharacter = /%(?:25)*(3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)/gi;
/** A text is decoded this often: more than any chain of servers does. */
const maxLayers = 8;

const shownAs = {
  live: '[API key]',
  link: '[sign-in code]',
  session: '[session]',
  share: '[share link]',
  mail: '[link of a mail]',
  code: '[authorization code]',
  access: '[access token]',
  refresh: '[refresh token]',
  call: '[credential of a call]',
};
type Kind = keyof typeof shownAs;
const kinds = Object.keys(shownAs).join('|');

/** How a secret begins. Only those that begin so are found: what makes secrets takes this type. */
export type SecretPrefix = `sw_${Kind}_`;

/** What follows the prefix belongs to the secret up to a blank, a quote, a slash or an escape of JSON. */
const secret = new RegExp(`sw_(${kinds})_[^\\s"'\\\\/]*`, 'gi');

/**
 * Replaces every API key, code of a sign-in link, id of a session, secret of a share link or of a link in a mail, and code, token and credential of a
 * connection in a text, in any letter case and however it is percent-encoded. JSON stays JSON. A text without a secret is returned unchanged.
 */
export function redactKeys(text: string): string {
  const decoded = text.includes('%') ? decodeLayers(text) : text;
  const redacted = decoded.replace(secret, (_, kind: string) => shownAs[kind.toLowerCase() as Kind]);
  return redacted === decoded ? text : redacted;
}

/** Whether a text contains a secret, see `redactKeys`. */
export function containsKey(text: string): boolean {
  return redactKeys(text) !== text;
}

function decodeLayers(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < maxLayers; layer++) {
    const next = decoded.replace(encodedCharacter, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}
