import ipaddr from 'ipaddr.js';

/** Ranges of `ipaddr.js` that lie in a private network. */
const privateRanges: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/**
 * Addresses outside of private ranges, or in one that may be allowed, where clouds answer with credentials of the machine.
 * Others of that kind are link-local, which is never allowed.
 */
const metadataAddresses = ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
  ipaddr.parse(text).toString(),
);

/** IANA assigns public IPv6 addresses from this range only. */
const publicIpv6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * `public` can be called, `private` only where an operator allows it. `refused` is never called: link-local, multicast,
 * reserved, metadata, and forms that carry an IPv4 address within an IPv6 one (mapped, NAT64, 6to4, Teredo).
 * @param text an IP address in any form, without brackets; anything else is refused
 */
export function classifyAddress(text: string): 'public' | 'private' | 'refused' {
  if (!ipaddr.isValid(text)) return 'refused';
  const address = ipaddr.parse(text);
  if (metadataAddresses.includes(address.toString())) return 'refused';
  if (privateRanges.includes(address.range())) return 'private';
  if (address.range() !== 'unicast') return 'refused';
  return address instanceof ipaddr.IPv6 && !address.match(publicIpv6) ? 'refused' : 'public';
}

/** Whether the address is one of the list, however each is written. */
export function isListed(text: string, list: readonly string[]): boolean {
  const address = ipaddr.process(text).toString();
  return list.some((listed) => ipaddr.isValid(listed) && ipaddr.process(listed).toString() === address);
}
