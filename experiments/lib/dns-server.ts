import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const types = { a: 1, txt: 16 } as const;
/** Where grpc-go looks for the service config of a name. */
const configPrefix = '_grpc_config';
const roundRobin = 'grpc_config=[{"serviceConfig":{"loadBalancingConfig":[{"round_robin":{}}]}}]';

/**
 * A name server on 127.0.0.1 that gives every name the same IPv4 addresses, and gRPC clients a service config with
 * round_robin. Clients such as grpc-go name it in the address: `dns://127.0.0.1:<port>/<name>:<port>`.
 */
export async function startDnsServer(addresses: readonly string[]): Promise<{ port: number; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answer(query, addresses), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, close: () => socket.close() };
}

/** The format of RFC 1035, section 4.1. Further sections of the query are dropped. */
function answer(query: Buffer, addresses: readonly string[]): Buffer {
  let end = 12;
  while (query[end]) end += 1 + (query[end] ?? 0);
  const name = query.toString('latin1', 13, end);
  const type = query.readUInt16BE(end + 1);
  const question = query.subarray(12, end + 5);
  const records =
    type === types.a
      ? addresses.map((address) => record(types.a, Buffer.from(address.split('.').map(Number))))
      : type === types.txt && name.startsWith(configPrefix)
        ? [record(types.txt, Buffer.concat([Buffer.from([roundRobin.length]), Buffer.from(roundRobin)]))]
        : [];
  const header = Buffer.from(query.subarray(0, 12));
  // A response without an error.
  header.writeUInt16BE(0x8580, 2);
  for (const [index, count] of [1, records.length, 0, 0].entries())
    header.writeUInt16BE(count, 4 + 2 * index);
  return Buffer.concat([header, question, ...records]);
}

/** Of the name in the question, kept for no time. */
function record(type: number, content: Buffer): Buffer {
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, content.length]);
  return Buffer.concat([head, content]);
}
