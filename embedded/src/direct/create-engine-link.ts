import type { Engine } from '../engine/create-engine.ts';
import { answerMessage } from '../wire/answer-message.ts';
import { type Link, LinkClosed } from './link.ts';

export type EngineLink = Link & {
  /** Refuses further messages, and resolves when those before are answered. */
  close(): Promise<void>;
  /** After a failure of the engine: messages in flight, too, get no answer. */
  fail(): void;
};

/** The link to an engine in the same thread. */
export function createEngineLink(engine: Engine): EngineLink {
  const inFlight = new Set<Promise<unknown>>();
  let state: 'open' | 'closed' | 'failed' = 'open';

  async function answer(message: Buffer, client: object): Promise<Buffer> {
    const { reply } = await answerMessage(engine, message, client);
    if (state === 'failed') throw new LinkClosed();
    return reply;
  }

  return {
    isOpen: () => state === 'open',
    async send(message, client) {
      if (state !== 'open') throw new LinkClosed();
      const answering = answer(message, client);
      inFlight.add(answering);
      try {
        return await answering;
      } finally {
        inFlight.delete(answering);
      }
    },
    closeClient: (client) => engine.cursors.closeForConnection(client),
    async close() {
      if (state === 'open') state = 'closed';
      await Promise.allSettled(inFlight);
    },
    fail() {
      state = 'failed';
    },
  };
}
