import { isIPv6 } from 'node:net';

/**
 * The host by which this machine reaches its own server, for a URL. Never a name: another program may listen on an address that
 * the name has, too, and would get the keys.
 * @param host that the server listens on; absent: all addresses
 */
export function toLocalHost(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}
