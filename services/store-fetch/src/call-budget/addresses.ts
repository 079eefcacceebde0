import { createHash } from 'node:crypto';
import { type Dispatcher, ProxyAgent } from 'undici';

/** Where calls go out from. */
export type Address = {
  /** Names it in metrics and in the database; holds no secret. */
  label: string;
  /** Undefined: straight, without a proxy. */
  dispatcher: Dispatcher | undefined;
};

/** The process's own address first, then one per proxy; `close` breaks what they hold open. */
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
 * One host and port may stand for many addresses, told apart by the user's name. Nothing is made of the password, of
 * which even a few bits would tell a right guess from a wrong one.
 */
export function proxyLabel({ protocol, hostname, port: ownPort, username }: URL): string {
  const port = ownPort || (protocol === 'https:' ? '443' : '80');
  const hash = createHash('sha256')
    .update(`${protocol}//${username}@${hostname}:${port}`)
    .digest('hex')
    .slice(0, 6);
  return `${hostname}:${port}-${hash}`;
}

/** It tunnels (CONNECT), whatever the store's protocol. The credentials are kept out of what it calls its address. */
function createProxyAgent(proxy: URL): ProxyAgent {
  const { username, password, origin } = proxy;
  if (username === '' && password === '') return new ProxyAgent({ uri: origin });
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new ProxyAgent({ uri: origin, token: `Basic ${Buffer.from(credentials).toString('base64')}` });
}
