import { connect, createServer, type Socket } from 'node:net';

/** What goes wrong on the way to a server. */
export type Faults = {
  /** Added to every chunk, in each direction, in ms. */
  delayMs: number;
  /** The share of chunks from the client that reset its connection, 0 to 1. */
  resetShare: number;
  /** Nothing is forwarded, as by a frozen server: connections are accepted and stay open. */
  isFrozen: boolean;
  /** New connections are closed at once. */
  isRefusing: boolean;
};

export type FaultProxy = {
  port: number;
  faults: Faults;
  /** Delivers what arrived during a freeze, and all that follows. */
  thaw(): void;
  resetAll(): void;
  stop(): Promise<void>;
};

/** A TCP server on loopback that forwards to `target`, with faults that a test switches on and off. */
export async function startFaultProxy(
  target: { host: string; port: number },
  random: () => number = Math.random,
): Promise<FaultProxy> {
  const faults: Faults = { delayMs: 0, resetShare: 0, isFrozen: false, isRefusing: false };
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  let held: (() => void)[] = [];

  /** In the order of arrival: timers of the same delay fire in the order of their start. */
  function deliver(forward: () => void): void {
    if (faults.isFrozen) held.push(forward);
    else if (faults.delayMs > 0) setTimeout(forward, faults.delayMs);
    else forward();
  }

  function join(client: Socket): void {
    clients.add(client);
    const server = connect({ ...target, noDelay: true });
    servers.add(server);
    client.setNoDelay(true);
    client.on('data', (chunk) => {
      if (random() < faults.resetShare) client.resetAndDestroy();
      else deliver(() => server.write(chunk));
    });
    server.on('data', (chunk) => deliver(() => client.write(chunk)));
    client.on('error', () => {});
    server.on('error', () => client.destroy());
    client.on('close', () => {
      clients.delete(client);
      deliver(() => server.end());
    });
    server.on('close', () => {
      servers.delete(server);
      client.destroy();
    });
  }

  const listener = createServer((client) => {
    if (faults.isRefusing) client.resetAndDestroy();
    else join(client);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const resetAll = () => {
    for (const client of clients) client.resetAndDestroy();
  };
  const thaw = () => {
    faults.isFrozen = false;
    const deliveries = held;
    held = [];
    for (const forward of deliveries) forward();
  };
  return {
    port: (listener.address() as { port: number }).port,
    faults,
    thaw,
    resetAll,
    async stop() {
      // A connection to the target ends only when what is held has been delivered.
      thaw();
      resetAll();
      await new Promise<void>((resolve) => listener.close(() => resolve()));
      // Whatever has not ended yet would keep the process alive.
      for (const server of servers) server.destroySoon();
    },
  };
}
