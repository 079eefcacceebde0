/**
 * Attacks a server from one address without a key, in a process of its own. Each connection sends `pipelined` requests at
 * once, again and again as they are answered, and connects again when it is closed; with `once` it sends them one time, all
 * connections together. Tells its parent process when it begins, and sends its counts at the end.
 */
import { connect, type Socket } from 'node:net';

export type FloodOptions = {
  port: number;
  /** Its own address, such as 127.0.0.1. */
  from: string;
  path: string;
  connections: number;
  pipelined: number;
  /** How long it goes on, in ms; `once`: the longest time to wait for answers. */
  ms: number;
  once: boolean;
};

export type FloodCounts = { sent: number; answered: number; opened: number; ms: number };

const options: FloodOptions = JSON.parse(process.argv[2] ?? '{}');
const { port, from, path, connections, pipelined, once } = options;
const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(pipelined));
const counts: FloodCounts = { sent: 0, answered: 0, opened: 0, ms: 0 };
/** The beginning of an answer. */
const statusLine = 'HTTP/1.1 ';
const startedAt = performance.now();
let isOver = false;
let left = connections;

function open(onConnect: (socket: Socket) => void): Socket {
  counts.opened++;
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  let waiting = pipelined;
  socket.on('error', () => {});
  socket.once('connect', () => onConnect(socket));
  socket.on('data', (chunk) => {
    const answers = chunk.toString('latin1').split(statusLine).length - 1;
    counts.answered += answers;
    waiting -= answers;
    if (waiting > 0) return;
    waiting = pipelined;
    if (once) settle(socket);
    else if (!isOver) send(socket);
  });
  socket.once('close', () => {
    if (once) settle(socket);
    else if (!isOver) setImmediate(() => open(send));
  });
  return socket;
}

function send(socket: Socket): void {
  counts.sent += pipelined;
  socket.write(bytes);
}

const settled = new WeakSet<Socket>();
function settle(socket: Socket): void {
  if (settled.has(socket)) return;
  settled.add(socket);
  left--;
  if (left === 0) end();
}

function end(): void {
  if (isOver) return;
  isOver = true;
  counts.ms = Math.round(performance.now() - startedAt);
  process.send?.(counts, () => process.exit(0));
}

process.send?.('begins');
setTimeout(end, options.ms);
if (once) {
  const opened: Socket[] = [];
  let connected = 0;
  for (let number = 0; number < connections; number++)
    opened.push(
      open(() => {
        connected++;
        if (connected === connections) for (const socket of opened) send(socket);
      }),
    );
} else for (let number = 0; number < connections; number++) open(send);
process.once('disconnect', () => process.exit(0));
