import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * A port of 127.0.0.1 that nothing listens on, below 55,000: the second port of a node of a Redis cluster, 10,000 above, is a
 * valid one, too.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    if (port < 55_000) return port;
  }
}
