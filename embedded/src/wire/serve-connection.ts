import type { Socket } from 'node:net';
import type { Engine } from '../engine/create-engine.ts';
import type { Doc } from '../semantics/bson.ts';
import { CommandError } from '../semantics/command-error.ts';
import { encodeReply } from './encode-reply.ts';
import { parseRequest, type Request } from './parse-request.ts';
import { readMessages } from './read-messages.ts';

export type ConnectionOptions = {
  engine: Engine;
  /** Aborted when the server stops: an idle connection closes at once, another one after its answer. */
  stopping: AbortSignal;
};

/**
 * Answers the requests of one connection, one after the other, until it ends. What is no message of the protocol
 * ends it. Never rejects.
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
  // A client that goes away while it is written to: the loop ends by itself.
  socket.on('error', () => socket.destroy());
  try {
    for await (const message of readMessages(socket)) {
      isIdle = false;
      const request = parseRequest(message);
      const reply = await runRequest(engine, request, socket);
      if (request.wantsReply && !socket.write(encodeReply(request, reply))) await waitForDrain(socket);
      if (stopping.aborted) break;
      isIdle = true;
    }
  } catch {
    // Malformed, or cut off in the middle: the client sees its connection close.
  } finally {
    stopping.removeEventListener('abort', closeIfIdle);
    engine.cursors.closeForConnection(socket);
    socket.destroySoon();
  }
}

async function runRequest(engine: Engine, { kind, command }: Request, connection: Socket): Promise<Doc> {
  try {
    if (kind === 'query' && !isHello(command)) {
      throw new CommandError(352, 'UnsupportedOpQueryCommand', 'OP_QUERY is for hello only');
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

/** Resolves when more can be written, or nothing ever again. */
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
