import { createHash } from 'node:crypto';
import { ProxyAgent } from 'undici';
import type { Address } from '../store-health/endpoints.ts';

/** The process's own address first, then one per proxy. `close` drops their open connections. */
export function createAddresses(proxies: readonly URL[]) {
  const proxied = proxies.map((proxy) => ({ label: proxyLabel(proxy), dispatcher: createProxyAgent(proxy) }));
  const addresses: readonly Address[] = [{ label: 'direct', dispatcher: undefined }, ...proxied];
  return {
    addresses,
    async close() {
      await Promise.all(proxied.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

/**
 * One host and port may stand for many addresses, which differ by user name. The label does not depend on the
 * password: even a few bits of its hash would confirm a right guess.
 */
export function proxyLabel({ protocol, hostname, port: ownPort, username }: URL): string {
  const port = ownPort || (protocol === 'https:' ? '443' : '80');
  const hash = createHash('sha256')
    .update(`${protocol}//${username}@${hostname}:${port}`)
    .digest('hex')
    .slice(0, 6);
  return `${hostname}:${port}-${hash}`;
}

/** Tunnels (CONNECT) whatever the store's protocol. Error messages name the proxy's address without its credentials. */
function createProxyAgent(proxy: URL): ProxyAgent {
  const { username, password, origin } = proxy;
  if (username === '' && password === '') return new ProxyAgent({ uri: origin });
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new ProxyAgent({ uri: origin, token: `Basic ${Buffer.from(credentials).toString('base64')}` });
}
