import type { Socket } from 'node:net';
import type { Engine } from '../engine/create-engine.ts';
import { answerMessage } from './answer-message.ts';
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
      const { reply, isExpected } = await answerMessage(engine, message, socket);
      if (isExpected && !socket.write(reply)) await waitForDrain(socket);
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
