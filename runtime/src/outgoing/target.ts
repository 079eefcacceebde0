import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { classifyAddress, isListed } from './address.ts';

export type TargetOptions = {
  /** Whether http, port 80 and private addresses are allowed: for receivers in the operator's own network. */
  allowPrivate: boolean;
  /** IP addresses of this machine, refused unless private ones are allowed. Default: those of its interfaces. */
  ownAddresses?: readonly string[];
};

/** The target is refused. The message is a sentence for people, without the URL, which may hold a secret. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** In characters, as written and as normalized. */
export const maxUrlLength = 2000;

/** RFC 6761, 6762, 8375 and ICANN's `internal`: names that never belong to a public receiver. */
const privateSuffixes = ['localhost', 'local', 'internal', 'home.arpa', 'localdomain', 'onion'];

/**
 * Checks all that is known without a look-up: when a target is saved, and before each call. A name that passes may still
 * resolve to a refused address: `checkAddresses`.
 * @throws TargetError with the reason
 */
export function checkTarget(text: string, options: TargetOptions): URL {
  if (text.length > maxUrlLength) refuse(`has more than ${maxUrlLength} characters`);
  // The parser drops or turns these silently, so that the text would say another host than the one that is called.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) refuse('contains a blank, a backslash or an invisible character');
  const { allowPrivate } = options;
  const schemes = allowPrivate ? 'https:// or http://' : 'https://';
  if (!(allowPrivate ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i).test(text))
    refuse(`must start with ${schemes} and a host`);
  const url = parse(text);
  if (url.href.length > maxUrlLength) refuse(`has more than ${maxUrlLength} characters`);
  if (url.username !== '' || url.password !== '' || hasUserInfo(text))
    refuse('must not contain a user name or password');
  if (text.includes('#')) refuse('must not contain a fragment (#)');
  checkPort(url);
  checkHost(hostOf(url), options);
  return url;
}

/**
 * Checks where a name resolves to.
 * @param addresses all IP addresses of the name: one that is refused refuses them all
 * @throws TargetError with the reason, which names no address: it may be a secret of the network
 */
export function checkAddresses(
  addresses: readonly string[],
  { allowPrivate, ownAddresses = readOwnAddresses() }: TargetOptions,
): void {
  if (addresses.length === 0) refuse('has a host without an address');
  for (const address of addresses) {
    const kind = classifyAddress(address);
    if (kind === 'refused') refuse('leads to an address that is never called');
    if (allowPrivate) continue;
    if (kind === 'private') refuse('leads to a private address');
    if (isListed(address, ownAddresses)) refuse('leads to this machine');
  }
}

/** The host without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    // The error of the parser contains the URL.
    return refuse('is not a valid URL');
  }
}

/** An empty user name, as in `https://@host`, is not in the parsed URL. */
function hasUserInfo(text: string): boolean {
  return /^[a-z]+:\/\/[^/?#]*@/i.test(text);
}

/** The parser drops the usual port, which is 443, or 80 of http. */
function checkPort({ port }: URL): void {
  if (port !== '' && Number(port) < 1024) refuse('must use the usual port, or one from 1024 to 65535');
}

function checkHost(host: string, options: TargetOptions): void {
  if (isIP(host) !== 0) {
    checkAddresses([host], options);
    return;
  }
  if (host.endsWith('.')) refuse('has a host that ends with a dot');
  if (host.length > 253 || host.split('.').some((label) => label === '' || label.length > 63))
    refuse('has a host that is not a valid name');
  if (options.allowPrivate) return;
  // Only a private resolver or a search domain gives an address to a name without a dot, such as that of a container.
  if (!host.includes('.') || privateSuffixes.some((suffix) => host.endsWith(`.${suffix}`)))
    refuse('has a host of a private network');
}

function readOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address));
}

function refuse(reason: string): never {
  throw new TargetError(`The URL ${reason}.`);
}
