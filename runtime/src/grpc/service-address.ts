import { isIP, isIPv4 } from 'node:net';
import { z } from 'zod';

type HostPort = { host: string; port: number };

/**
 * Where a service that runs alone is reached: `host:port`, several copies as IP addresses (`10.0.0.1:50053,10.0.0.2:50053`),
 * or `unix:/path`.
 */
export const serviceAddressSetting = z
  .string()
  .refine((address) => address.startsWith('unix:') || areReachable(parseAddresses(address)), {
    error: 'must be host:port, or IP addresses with ports, separated by commas',
  });

/** Where a service listens: `host:port`, where port 0 lets the system choose one, or `unix:/path`. */
export const listenAddressSetting = z
  .string()
  .refine((address) => address.startsWith('unix:') || parseAddresses(address)?.length === 1, {
    error: 'must be host:port, or unix:/path',
  });

/**
 * The target for gRPC. A name is resolved again whenever a connection ends, so that new copies are found; the calls take turns
 * over all copies.
 */
export function toTarget(address: string): string {
  if (address.startsWith('unix:')) return address;
  const copies = parseAddresses(address) ?? [];
  if (copies.length === 1) return `dns:///${address}`;
  const scheme = copies.every(({ host }) => isIPv4(host)) ? 'ipv4' : 'ipv6';
  return `${scheme}:${copies.map(toText).join(',')}`;
}

/** The hosts of an address, without brackets and without a repeated one; none for a unix socket. */
export function hostsOf(address: string): string[] {
  if (address.startsWith('unix:')) return [];
  return [...new Set((parseAddresses(address) ?? []).map(({ host }) => host))];
}

/** Several copies are given as IP addresses of one family, because gRPC resolves one name only. */
function areReachable(copies: readonly HostPort[] | null): boolean {
  if (copies === null || copies.some(({ port }) => port < 1)) return false;
  const families = new Set(copies.map(({ host }) => isIP(host)));
  return copies.length === 1 || (families.size === 1 && !families.has(0));
}

/** @returns null when a part is not `host:port` */
function parseAddresses(address: string): HostPort[] | null {
  const parts = address.split(',').map((part) => parseAddress(part.trim()));
  return parts.every((part) => part !== null) ? parts : null;
}

function parseAddress(text: string): HostPort | null {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]/\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || (bracketed !== undefined && isIP(bracketed) !== 6)) return null;
  const port = Number(digits);
  return port <= 65_535 ? { host, port } : null;
}

function toText({ host, port }: HostPort): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether nothing that is sent to this address leaves the machine: loopback and unix sockets. Other names may point anywhere. */
export function isOnThisMachine(address: string): boolean {
  if (address.startsWith('unix:')) return true;
  const copies = parseAddresses(address);
  return (
    copies?.every(({ host }) => {
      const family = isIP(host);
      if (family === 0) return host === 'localhost';
      return family === 4 ? host.startsWith('127.') : /^(?:0*:)*0*1$/.test(host);
    }) ?? false
  );
}
