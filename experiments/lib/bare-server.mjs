/**
 * Answers every call at once, with the longest time for which its event loop was held since the last one, in ms. Either the child of
 * a process, to which it sends its port and with which it ends, or, with HOST and PORT, alone: in a pod it is given as a text.
 */
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const { HOST: host = '127.0.0.1', PORT: port = '0' } = process.env;
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const server = createServer((_request, response) => {
  response.end(String(delay.max / 1e6));
  delay.reset();
});
server.listen(Number(port), host, () => process.send?.(server.address().port));
process.once('disconnect', () => process.exit(0));
