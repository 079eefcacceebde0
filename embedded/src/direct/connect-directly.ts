import type { Socket } from 'node:net';
import { requireFromDriver } from '@shelfwise/runtime/mongo/require-from-driver';
import type { ConnectOptions, Connection as MongooseConnection, mongo } from 'mongoose';
import type { Link } from './link.ts';
import { bodyStart, createCommandRunner } from './run-commands.ts';
import { shortenCollection } from './shorten-collection.ts';

/** The parts of the driver's connection that are used here. They are internal: the tests tell when they change. */
type DriverConnection = {
  readonly established: boolean;
  readonly socket: Socket;
  readonly socketTimeoutMS: number;
  /** Set once the connection is closed. */
  readonly error: Error | null;
  on(event: 'close', listener: () => void): void;
  throwIfAborted(): void;
  onError(error: unknown): void;
  sendWire(message: WireMessage, options: SendOptions, responseType?: ResponseType): AsyncGenerator<unknown>;
};
type WireMessage = {
  toBin(): readonly Uint8Array[];
  readonly moreToCome: boolean;
  readonly exhaustAllowed: boolean;
};
type SendOptions = {
  socketTimeoutMS?: number;
  timeoutContext?: { getSocketTimeoutMS(): number | undefined };
  signal?: AbortSignal;
};
type ResponseType = { make(bson: Uint8Array): unknown; readonly empty?: unknown };
type DriverConnectionClass = new (socket: Socket, options: object) => DriverConnection;

export type DirectAccess = {
  /** For `mongoose.createConnection`: the commands of the connection take the link. */
  options: ConnectOptions;
  /** Shortens the way of the most used methods. Called right after `createConnection`. */
  adopt(connection: MongooseConnection): void;
};

/**
 * Lets mongoose reach an engine in this process without a socket. The driver's connections still exist, so that the
 * driver notices when the engine ends; a driver that ignored the options would use them.
 */
export function connectDirectly(link: Link): DirectAccess {
  return {
    options: { connectionType: createConnectionClass(link) } as ConnectOptions,
    adopt(connection) {
      // It has none when its address is wrong.
      const client = connection.getClient() as mongo.MongoClient | null;
      if (client) shortenClient(client, link);
    },
  };
}

function shortenClient(client: mongo.MongoClient, link: Link): void {
  const runner = createCommandRunner(client, link);
  const openDatabase = client.db.bind(client);
  client.db = (...args) => {
    const database = openDatabase(...args);
    const openCollection = database.collection.bind(database);
    database.collection = ((name, options) => {
      const collection = openCollection(name, options);
      shortenCollection(collection, runner);
      return collection;
    }) as typeof database.collection;
    return database;
  };
}

/** A connection of the driver that sends commands over the link. All else is the driver's: events, errors, cursors. */
function createConnectionClass(link: Link): DriverConnectionClass {
  const { Connection } = requireFromDriver('cmap/connection') as {
    Connection: DriverConnectionClass;
  };
  const { MongoDBResponse } = requireFromDriver('cmap/wire_protocol/responses') as {
    MongoDBResponse: Required<ResponseType>;
  };

  class DirectConnection extends Connection {
    constructor(socket: Socket, options: object) {
      super(socket, options);
      this.on('close', () => {
        link.closeClient(this);
        this.#reject?.(this.error);
      });
    }

    /** Rejects the command in flight. A connection has one at a time. */
    #reject: ((error: unknown) => void) | undefined;

    override async *sendWire(
      message: WireMessage,
      options: SendOptions,
      responseType: ResponseType = MongoDBResponse,
    ): AsyncGenerator<unknown> {
      // The handshake and the monitor are about the socket.
      if (!this.established || message.exhaustAllowed) {
        yield* super.sendWire(message, options, responseType);
        return;
      }
      this.throwIfAborted();
      const reply = await this.#send(Buffer.concat(message.toBin()), options);
      yield message.moreToCome ? MongoDBResponse.empty : responseType.make(reply.subarray(bodyStart));
    }

    async #send(message: Buffer, options: SendOptions): Promise<Buffer> {
      const { signal } = options;
      const timeoutMs =
        options.socketTimeoutMS ?? options.timeoutContext?.getSocketTimeoutMS() ?? this.socketTimeoutMS;
      // The socket is silent meanwhile, so that its timeout is that of the command.
      if (timeoutMs > 0) this.socket.setTimeout(timeoutMs);
      const abort = () => this.onError(signal?.reason);
      signal?.addEventListener('abort', abort);
      try {
        return await new Promise<Buffer>((resolve, reject) => {
          this.#reject = reject;
          link.send(message, this).then(resolve, (error) => {
            // Closes the connection.
            this.socket.destroy(error);
          });
        });
      } finally {
        this.#reject = undefined;
        signal?.removeEventListener('abort', abort);
        if (timeoutMs > 0) this.socket.setTimeout(0);
      }
    }
  }
  return DirectConnection;
}
