const scheme = 'mailto:';
/** RFC 5321, 4.5.3.1, in bytes. */
const maxLocalLength = 64;
const maxLength = 254;

/** Without those that mean something in a mailto: URL (RFC 6068), and without quotes: no list, no header, no line. */
const local = /^[a-z0-9!#$'*+=^_`{|}~-]+(\.[a-z0-9!#$'*+=^_`{|}~-]+)*$/i;
const domain = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/i;

/**
 * The mailbox that an address is counted as. Many servers deliver to one mailbox whatever the letter case, the dots, and what follows
 * a plus sign are.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const name = address.slice(0, at).replace(/\+.*$/, '').replaceAll('.', '');
  return `${name}${address.slice(at)}`.toLowerCase();
}

/** The one address of a mailto: URL, as it is written; null: it is none. */
export function readMailAddress(url: string): { address: string; domain: string } | null {
  if (!url.toLowerCase().startsWith(scheme)) return null;
  const address = url.slice(scheme.length);
  const at = address.lastIndexOf('@');
  const [before, after] = [address.slice(0, at), address.slice(at + 1)];
  const isAddress =
    at > 0 &&
    address.length <= maxLength &&
    before.length <= maxLocalLength &&
    local.test(before) &&
    domain.test(after);
  return isAddress ? { address, domain: after.toLowerCase() } : null;
}
