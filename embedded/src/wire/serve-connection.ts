import type { Socket } from 'node:net';
import type { Doc } from '../bson.ts';
import type { Engine } from '../engine/create-engine.ts';
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
      const reply = await answer(engine, request, socket);
      if (request.wantsReply && !socket.write(encodeReply(request, reply))) await drained(socket);
      if (stopping.aborted) break;
      isIdle = true;
    }
  } catch {
    // Malformed, or cut off in the middle: the client sees its connection close.
  } finally {
    stopping.removeEventListener('abort', closeIfIdle);
    engine.cursors.closeOf(socket);
    socket.destroySoon();
  }
}

async function answer(engine: Engine, { kind, command }: Request, client: Socket): Promise<Doc> {
  try {
    if (kind === 'query' && !isHello(command)) {
      throw new CommandError(352, 'UnsupportedOpQueryCommand', 'OP_QUERY is for hello only');
    }
    return { ...(await engine.run(command, client)), ok: 1 };
  } catch (error) {
    return refusal(error);
  }
}

function isHello(command: Doc): boolean {
  return ['hello', 'isMaster', 'ismaster'].includes(Object.keys(command)[0] ?? '');
}

function refusal(error: unknown): Doc {
  if (error instanceof CommandError) {
    const { code, codeName, message, fields } = error;
    return { ok: 0, errmsg: message, code, codeName, ...fields };
  }
  return { ok: 0, errmsg: `the embedded database failed: ${error}`, code: 1, codeName: 'InternalError' };
}

/** Resolves when more can be written, or nothing ever again. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      socket.off('drain', end).off('close', end);
      resolve();
    };
    socket.on('drain', end).on('close', end);
    if (socket.destroyed) end();
  });
}
