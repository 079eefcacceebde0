import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether a part of the body has not been read. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete;
}

/** How much of an unread body is dropped, in ms and bytes, before the connection is cut. */
const dropLimits = { ms: 1000, bytes: 1024 * 1024 };

/**
 * For an answer with `Connection: close` to a request whose body is not read. Node would close the connection right
 * after the answer, and the system would reset it: a client that still sends might not see the answer. So the gateway
 * first closes only its own direction, and drops what arrives until the client has closed, too. Nothing that arrives
 * is parsed any more.
 */
export function dropUnreadBody({ socket }: IncomingMessage): void {
  socket.destroySoon = () => {
    socket.end();
    dropUntilClosed(socket);
  };
}

function dropUntilClosed(socket: Socket): void {
  const destroy = () => socket.destroy();
  const timer = setTimeout(destroy, dropLimits.ms);
  let dropped = 0;
  // The HTTP parser listens here.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > dropLimits.bytes) destroy();
  });
  socket.once('end', destroy).once('close', () => clearTimeout(timer));
  socket.resume();
}
