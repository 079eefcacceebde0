/**
 * Answers every call at once, with the longest time for which its event loop was held since the last one, in ms. Sends its
 * port to its parent process, and ends with it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const server = createServer((_request, response) => {
  response.end(String(delay.max / 1e6));
  delay.reset();
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
