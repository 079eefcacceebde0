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
 * One host and port may stand for many addresses, told apart by the credentials: hence the hash of the whole URL. Its
 * 24 bits tell nothing that helps to guess a password of use.
 */
function proxyLabel(proxy: URL): string {
  const hash = createHash('sha256').update(proxy.href).digest('hex').slice(0, 6);
  const port = proxy.port || (proxy.protocol === 'https:' ? '443' : '80');
  return `${proxy.hostname}:${port}-${hash}`;
}

/** It tunnels (CONNECT), whatever the store's protocol. The credentials are kept out of what it calls its address. */
function createProxyAgent(proxy: URL): ProxyAgent {
  const { username, password, origin } = proxy;
  if (username === '' && password === '') return new ProxyAgent({ uri: origin });
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return new ProxyAgent({ uri: origin, token: `Basic ${Buffer.from(credentials).toString('base64')}` });
}
