import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A collector that takes spans and forgets them. It ends with its parent.

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end());
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit(0));
