import { lookup, Resolver } from 'node:dns/promises';

/** All IP addresses of a host name. Rejects when there are none; the signal cancels it where that is possible. */
export type ResolveName = (host: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Asks DNS servers only, so neither the hosts file nor a search domain gives an address. Name servers that do not answer
 * delay no other call: `lookup` would occupy a thread of the few that all look-ups and files of the process share.
 */
export const resolvePublicName: ResolveName = async (host, signal) => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** As every program of the machine resolves names, those of containers included. */
export const resolvePrivateName: ResolveName = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);
