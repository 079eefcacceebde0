import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * One address before several gateways: connections take turns over those that accept one. A connection ends with its gateway, as
 * behind a balancer that looks at no requests.
 */
export async function startTcpBalancer(
  urls: readonly string[],
): Promise<{ url: string; stop(): Promise<void> }> {
  const open = new Set<Socket>();
  let turn = 0;

  function join(client: Socket): void {
    open.add(client);
    client.on('error', () => {});
    client.once('close', () => open.delete(client));
    const first = turn++;
    connectTo(urls.map((_, index) => urls[(first + index) % urls.length] as string));

    function connectTo([url, ...others]: readonly string[]): void {
      if (url === undefined) return void client.destroy();
      const { hostname, port } = new URL(url);
      const server = connect({ host: hostname, port: Number(port) });
      let isConnected = false;
      server.once('connect', () => {
        isConnected = true;
        client.pipe(server).pipe(client);
        client.once('close', () => server.destroy());
      });
      server.on('error', () => {});
      server.once('close', () => {
        if (isConnected) client.destroy();
        else connectTo(others);
      });
    }
  }

  const listener = createServer(join).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    async stop() {
      for (const client of open) client.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
