import type { Socket } from 'node:net';
import type { Engine } from '../engine/create-engine.ts';
import type { Doc } from '../semantics/bson.ts';
import { CommandError } from '../semantics/command-error.ts';
import { encodeReply } from './encode-reply.ts';
import { parseRequest, type Request } from './parse-request.ts';
import { readMessages } from './read-messages.ts';

export type ConnectionOptions = {
  engine: Engine;
  /** Aborts when the server stops. Idle connections then close immediately, the others after their reply. */
  stopping: AbortSignal;
};

/**
 * Handles the requests of a connection one by one until the connection ends. A malformed message ends it. Never
 * rejects.
 */
export async function serveConnection(
  socket: Socket,
  { engine, stopping }: ConnectionOptions,
): Promise<void> {
  let isIdle = true;
  const closeIfIdle = () => {
    if (isIdle) socket.destroy();
  };
  stopping.addEventListener('abort', closeIfIdle);
  // The client may disconnect during a write. The loop then ends by itself.
  socket.on('error', () => socket.destroy());
  try {
    for await (const message of readMessages(socket)) {
      isIdle = false;
      const request = parseRequest(message);
      const reply = await runRequest(engine, request, socket);
      if (request.expectsReply && !socket.write(encodeReply(request, reply))) await waitForDrain(socket);
      if (stopping.aborted) break;
      isIdle = true;
    }
  } catch {
    // The message was malformed or incomplete, or the connection failed. The client sees that the connection closes.
  } finally {
    stopping.removeEventListener('abort', closeIfIdle);
    engine.cursors.closeForConnection(socket);
    socket.destroySoon();
  }
}

async function runRequest(engine: Engine, { kind, command }: Request, connection: Socket): Promise<Doc> {
  try {
    if (kind === 'query' && !isHello(command)) {
      throw new CommandError(352, 'UnsupportedOpQueryCommand', 'OP_QUERY is supported for hello only');
    }
    return { ...(await engine.run(command, connection)), ok: 1 };
  } catch (error) {
    return createErrorReply(error);
  }
}

function isHello(command: Doc): boolean {
  return ['hello', 'isMaster', 'ismaster'].includes(Object.keys(command)[0] ?? '');
}

function createErrorReply(error: unknown): Doc {
  if (error instanceof CommandError) {
    const { code, codeName, message, fields } = error;
    return { ok: 0, errmsg: message, code, codeName, ...fields };
  }
  return { ok: 0, errmsg: `the embedded database failed: ${error}`, code: 1, codeName: 'InternalError' };
}

/** Resolves when the socket can take more bytes or is closed. */
function waitForDrain(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      socket.off('drain', finish).off('close', finish);
      resolve();
    };
    socket.on('drain', finish).on('close', finish);
    if (socket.destroyed) finish();
  });
}
