import mongoose, { type mongo } from 'mongoose';
import { isRead } from '../engine/create-short-reader.ts';
import type { Batch } from '../engine/cursors.ts';
import { BSON, type Doc, toBson } from '../semantics/bson.ts';
import { isDocument } from '../semantics/values.ts';
import { opCodes } from '../wire/parse-request.ts';
import { isPlain } from './is-plain.ts';
import { type Link, LinkClosed } from './link.ts';

/** Before the body of a message: the header, the flags, and the kind of the section. */
export const bodyStart = 21;

export type RunCommand = (db: string, command: Doc, isRaw?: boolean) => Promise<Doc>;

export type CommandRunner = {
  /** False while the client is not connected, and when the engine has ended. */
  isOpen(): boolean;
  /**
   * Sends a command without the driver, and reports it to the listeners of the client as the driver would.
   * @param isRaw the documents of a batch stay encoded
   * @throws MongoServerError when the command is refused, MongoNetworkError when the engine ends
   */
  run: RunCommand;
};

type Started = { requestId: number; commandName: string; startedMs: number };

export function createCommandRunner(client: mongo.MongoClient, link: Link): CommandRunner {
  const { MongoServerError, MongoNetworkError } = mongoose.mongo;
  let isConnected = false;
  let lastRequestId = 0;
  client.on('open', () => {
    isConnected = true;
  });
  client.on('topologyClosed', () => {
    isConnected = false;
    link.closeClient(client);
  });

  /** Null without listeners. */
  function reportStart(databaseName: string, commandName: string, command: Doc): Started | null {
    if (!client.options.monitorCommands || client.listenerCount('commandStarted') === 0) return null;
    lastRequestId -= 1;
    const started = { requestId: lastRequestId, commandName, startedMs: performance.now() };
    emit('commandStarted', started, { databaseName, command });
    return started;
  }

  function reportEnd(name: 'commandSucceeded' | 'commandFailed', started: Started | null, result: Doc): void {
    if (started) emit(name, started, { ...result, duration: performance.now() - started.startedMs });
  }

  function emit(name: string, { requestId, commandName }: Started, fields: Doc): void {
    const event = { name, requestId, commandName, address: 'in-process', connectionId: 0, ...fields };
    (client as unknown as NodeJS.EventEmitter).emit(name, event);
  }

  async function answer(request: Doc, name: string, isRaw: boolean): Promise<Doc> {
    // Neither the command nor its reply is encoded then.
    const read = link.read && isRead(name) && isPlain(request) ? link.read : undefined;
    try {
      const done = read?.(request);
      if (done) return decodeRead(done, isRaw);
      const reply = await link.send(encodeMessage(request), client, read !== undefined);
      return BSON.deserialize(reply.subarray(bodyStart), isRaw ? rawBatches : {});
    } catch (error) {
      if (error instanceof LinkClosed) throw new MongoNetworkError(error.message, { cause: error });
      throw error;
    }
  }

  return {
    isOpen: () => isConnected && link.isOpen(),
    async run(db, command, isRaw = false) {
      const name = Object.keys(command)[0] ?? '';
      const started = reportStart(db, name, command);
      try {
        const body = await answer({ ...command, $db: db }, name, isRaw);
        if (body.ok !== 1) throw new MongoServerError(body);
        reportEnd('commandSucceeded', started, { reply: body });
        return body;
      } catch (failure) {
        reportEnd('commandFailed', started, { failure });
        throw failure;
      }
    },
  };
}

const rawBatches = { fieldsAsRaw: { firstBatch: true, nextBatch: true } };

/** The reply to a read as if it had been encoded and decoded. */
function decodeRead(reply: Doc, isRaw: boolean): Doc {
  const { cursor } = reply;
  if (!isDocument(cursor)) return BSON.deserialize(toBson(reply));
  const { docs } = cursor.firstBatch as Batch;
  const firstBatch = isRaw ? docs : docs.map((doc) => BSON.deserialize(doc));
  return { ...reply, cursor: { ...cursor, firstBatch } };
}

/** A document of 16 MiB and what is around it. */
const maxBodyBytes = 2 ** 24 + 2 ** 14;

/** Nothing of the command was sent. */
export class CommandTooLarge extends Error {}

/** As the driver encodes it. @throws CommandTooLarge also where the encoder's buffer of 17 MiB has cut it */
function encodeMessage(command: Doc): Buffer {
  const body = encodeBody(command);
  if (body.length > maxBodyBytes) throw new CommandTooLarge('a command has more than 16 MiB');
  const message = Buffer.alloc(bodyStart + body.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(opCodes.msg, 12);
  message.set(body, bodyStart);
  return message;
}

function encodeBody(command: Doc): Uint8Array {
  try {
    return BSON.serialize(command, { checkKeys: false, ignoreUndefined: false });
  } catch (error) {
    if (error instanceof RangeError) throw new CommandTooLarge(error.message, { cause: error });
    throw error;
  }
}
