import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** Counts the pings that HTTP/2 connections of this process send during a test, such as those of gRPC clients. */
export async function countPings(): Promise<() => number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(session, 'connect');
  // Node.js does not export the class.
  const pings = jest.spyOn(Object.getPrototypeOf(Object.getPrototypeOf(session)), 'ping');
  session.close();
  await once(session, 'close');
  server.close();
  return () => pings.mock.calls.length;
}
