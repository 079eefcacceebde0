import { isRead, type ShortReader } from '../engine/create-short-reader.ts';
import type { Doc } from '../semantics/bson.ts';
import { createErrorReply } from '../wire/answer-message.ts';
import { encodeReply } from '../wire/encode-reply.ts';
import { parseRequest } from '../wire/parse-request.ts';
import { type Link, LinkClosed } from './link.ts';
import { ownBytes, type ThreadReply, type ThreadRequest, toBuffer } from './thread-messages.ts';

export type ThreadLinkDeps = {
  post(request: ThreadRequest): void;
  /** Opens the store of the engine for reads in this thread. Called for the first one. */
  openReader(): ShortReader;
};

export type ThreadLink = Required<Link> & {
  onReply(reply: ThreadReply): void;
  /** Refuses further messages; those in flight and those that wait, too. */
  close(): Promise<void>;
};

/** What the thread may have at a time. Further commands wait here, as they would for a connection of the driver. */
const maxCommands = 100;
/** More than the largest message has. */
const maxBytes = 64_000_000;
/** Hardly any larger message is a short read: most look for more values than one may. To decode it takes as long as one. */
const maxReadBytes = 50_000;

type Pending = { resolve(reply: Buffer): void; reject(error: Error): void };
type Waiting = { bytes: number; post(): void };

/** The link to an engine in another thread. Short reads are answered in this one. */
export function createThreadLink({ post, openReader }: ThreadLinkDeps): ThreadLink {
  /** Commands without a reply. */
  const pending = new Map<number, Pending>();
  /** The bytes of those that the thread has. */
  const posted = new Map<number, number>();
  let postedBytes = 0;
  const waiting: Waiting[] = [];
  const clients = new WeakMap<object, number>();
  let reader: ShortReader | undefined;
  let isClosed = false;
  let lastId = 0;

  function identify(client: object): number {
    const known = clients.get(client);
    if (known !== undefined) return known;
    lastId += 1;
    clients.set(client, lastId);
    return lastId;
  }

  function readHere(command: Doc): Doc | undefined {
    try {
      reader ??= openReader();
      const reply = reader.run(command);
      return reply && { ...reply, ok: 1 };
    } catch (error) {
      return createErrorReply(error);
    }
  }

  function readMessage(message: Buffer): Buffer | undefined {
    const request = parseRequest(message);
    const reply = readHere(request.command);
    return reply && encodeReply(request, reply);
  }

  function sendToThread(message: Buffer, client: object): Promise<Buffer> {
    const clientId = identify(client);
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      postInTurn({
        bytes: message.length,
        post() {
          posted.set(id, message.length);
          postedBytes += message.length;
          post({ kind: 'send', id, client: clientId, message: ownBytes(message) });
        },
      });
    });
  }

  function postInTurn(request: Waiting): void {
    waiting.push(request);
    postWaiting();
  }

  function postWaiting(): void {
    for (let next = waiting[0]; next && hasRoom(next.bytes); next = waiting[0]) {
      waiting.shift();
      next.post();
    }
  }

  const hasRoom = (bytes: number) =>
    posted.size === 0 || (posted.size < maxCommands && postedBytes + bytes <= maxBytes);

  return {
    isOpen: () => !isClosed,
    read(command) {
      if (isClosed) throw new LinkClosed();
      return readHere(command);
    },
    async send(message, client, isTried = false) {
      if (isClosed) throw new LinkClosed();
      const isShort = !isTried && message.length <= maxReadBytes && isRead(readCommandName(message));
      const reply = isShort ? readMessage(message) : undefined;
      return reply ?? sendToThread(message, client);
    },
    closeClient(client) {
      // Clients that sent nothing to the thread have no cursor there.
      const known = clients.get(client);
      if (known === undefined || isClosed) return;
      // After its commands, which may open cursors.
      postInTurn({ bytes: 0, post: () => post({ kind: 'close-client', client: known }) });
    },
    onReply({ id, reply }) {
      postedBytes -= posted.get(id) ?? 0;
      posted.delete(id);
      const command = pending.get(id);
      pending.delete(id);
      if (reply) command?.resolve(toBuffer(reply));
      else command?.reject(new LinkClosed());
      postWaiting();
    },
    async close() {
      isClosed = true;
      waiting.length = 0;
      for (const { reject } of pending.values()) reject(new LinkClosed());
      pending.clear();
      await reader?.close();
    },
  };
}

/** After the header, the flags, the kind of the section, the length of the body and the type of its first element. */
const nameStart = 26;

function readCommandName(message: Buffer): string {
  return message.toString('latin1', nameStart, message.indexOf(0, nameStart));
}
