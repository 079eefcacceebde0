import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** Passes connections to a port on to another port or socket of this machine, as they are. */
export async function forwardPort(from: { host: string; port: number }, to: NetConnectOpts) {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const target = connect(to);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      keep(one);
      one.pipe(other);
      one.once('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  });
  server.listen(from);
  await once(server, 'listening');
  return {
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
