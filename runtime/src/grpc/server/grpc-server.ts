import {
  Server,
  type ServerUnaryCall,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { Logger } from '../../log/logger.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { mapListenError, StartError } from '../../process/start-error.ts';
import type { StatusCheck } from '../../process/status.ts';
import { startedMetadata } from '../call-metadata.ts';
import { createCallSignal } from '../call-signal.ts';
import { toRefusal } from '../grpc-errors.ts';
import { createHealth, healthServiceName } from '../grpc-health.ts';
import { createSecretCheck } from '../grpc-secret.ts';
import type {
  GrpcHandlers,
  IncomingCall,
  ServiceInProcess,
  ServiceTable,
  UnaryMethod,
} from '../grpc-types.ts';
import { maxMessageBytes } from '../message-size.ts';
import { type GrpcSecurity, toServerCredentials } from '../tls/grpc-security.ts';
import { createInProcessCalls } from './in-process-calls.ts';
import { createOpenCalls, type OpenCalls } from './open-calls.ts';
import { addReflection } from './reflection.ts';
import { type AnyHandler, createServeCall, type ServeCall } from './serve-call.ts';
import { watchStandstill } from './standstill.ts';

/** A connection that has reached its age takes no new calls, and is cut after this time: the longest deadline, and some. */
const longestCallMs = 330_000;

/** The deadline that a handler sees when the client set none. */
const defaultDeadlineMs = 60_000;

type Standstill = ReturnType<typeof watchStandstill>;

type GrpcServerOptions = {
  name: string;
  logger: Logger;
  metrics: Metrics;
  /** Whether clients such as grpcurl can read the contracts of the services. Default: no. */
  hasReflection?: boolean | undefined;
  /** Default: plain connections of this machine only. */
  security?: GrpcSecurity | undefined;
  /**
   * What the server cannot work without: its database. While this check is DOWN, `grpc.health.v1` says NOT_SERVING. Default:
   * nothing.
   */
  ownNeeds?: StatusCheck | undefined;
  /** Default: a second, for which the result of that check is kept. */
  healthKeptMs?: number;
  /** Default: ten minutes, so that clients of other libraries look for new copies; ours do so by themselves, and earlier. */
  maxConnectionAgeMs?: number;
};

/**
 * A server for the added services: for clients in this process and, on the address of `listen`, over gRPC. Every
 * failure is logged once and returned with its code.
 */
export function createGrpcServer(options: GrpcServerOptions) {
  const { name: service, logger, metrics, hasReflection, security, maxConnectionAgeMs = 600_000 } = options;
  /** A unix socket is protected by its folder. */
  let isOnNetwork = true;
  const secret = security?.secret ?? null;
  const server = new Server({
    interceptors: secret === null ? [] : [createSecretCheck(secret, () => isOnNetwork)],
    'grpc.max_connection_age_ms': maxConnectionAgeMs,
    'grpc.max_connection_age_grace_ms': longestCallMs,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  });
  const inProcess = createInProcessCalls();
  const openCalls = createOpenCalls();
  const names: string[] = [];
  let health: ReturnType<typeof createHealth> | undefined;
  let standstill: Standstill | undefined;

  return {
    addService<Service extends ServiceTable>(table: Service, handlers: GrpcHandlers<Service>) {
      const methods = table as Record<string, UnaryMethod<unknown, unknown>>;
      const implementation: UntypedServiceImplementation = {};
      for (const [method, codec] of Object.entries(methods)) {
        const handler = handlers[method] as AnyHandler;
        const serve = createServeCall({ service, method, codec, handler, logger, metrics });
        implementation[method] = toUnaryHandler(serve, openCalls, () => standstill?.caughtUp());
        inProcess.add(codec.path, serve);
      }
      server.addService(withoutCodec(methods), implementation);
      names.push(nameOf(methods));
    },

    /** For clients in this process, as their address. Calls fail until `listen` and from `drain` on. */
    inProcess: { send: inProcess.send } satisfies ServiceInProcess,

    /**
     * Accepts calls. Returns the address: `host:port`, where port 0 lets the system choose one, or `unix:/path`. Null
     * accepts calls of this process only, and returns an empty address.
     */
    async listen(address: string | null): Promise<string> {
      const bound = address === null ? '' : await listenOn(address);
      inProcess.open();
      return bound;
    },

    /**
     * Refuses new calls, waits at most `timeoutMs` for open ones, then aborts them. Clients send the refused calls to
     * another copy. Connections are closed when no call is open: the library drops the calls of a closing connection when
     * it pings (https://github.com/grpc/grpc-node/issues/3068).
     */
    async drain(timeoutMs: number) {
      health?.drain();
      let timer: NodeJS.Timeout | undefined;
      const timedOut = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          server.forceShutdown();
          resolve();
        }, timeoutMs);
      });
      const inProcessDrained = inProcess.drain(timeoutMs);
      await Promise.race([openCalls.drain(), timedOut]);
      const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      // The library waits for connections that have sent nothing yet as long as they stay.
      await Promise.all([Promise.race([closed, timedOut]), inProcessDrained]);
      clearTimeout(timer);
      standstill?.stop();
    },
  };

  async function listenOn(address: string): Promise<string> {
    const credentials = toServerCredentials(address, security);
    isOnNetwork = !address.startsWith('unix:');
    health = createHealth(names, { ownNeeds: options.ownNeeds, keptMs: options.healthKeptMs });
    server.addService(health.definition, health.implementation);
    // Callers on a socket of this machine have no other copy to call.
    if (isOnNetwork) standstill = watchStandstill();
    if (hasReflection) addReflection(server, [...names, healthServiceName]);
    const bound = new Promise<number>((resolve, reject) =>
      server.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port))),
    );
    if (address.startsWith('unix:')) {
      await bound.catch((cause: Error) => {
        throw new StartError(`The socket ${address} cannot be used (${cause.message}).`, { cause });
      });
      return address;
    }
    const port = await mapListenError(bound, { address, setting: 'GRPC_ADDRESS' });
    return `${address.slice(0, address.lastIndexOf(':'))}:${port}`;
  }
}

/** The full service name: shelfwise.runtime.v1.StatusService. The path of every method starts with it. */
function nameOf(methods: Readonly<Record<string, UnaryMethod<unknown, unknown>>>): string {
  return Object.values(methods)[0]?.path.split('/')[1] ?? '';
}

/** Messages stay encoded: `ServeCall` decodes and encodes them, in the same way for every transport. */
function withoutCodec(methods: Readonly<Record<string, UnaryMethod<unknown, unknown>>>) {
  const asIs = (message: Buffer) => message;
  const codec = {
    requestStream: false,
    responseStream: false,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  } as const;
  return Object.fromEntries(Object.entries(methods).map(([name, { path }]) => [name, { ...codec, path }]));
}

/** A call that waited while this process stood still is not begun if its caller has left: the caller may repeat it elsewhere. */
function toUnaryHandler(serve: ServeCall, openCalls: OpenCalls, caughtUp: Standstill['caughtUp']) {
  return async (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>) => {
    if (!openCalls.begin()) return reply(toRefusal());
    try {
      const wait = caughtUp();
      if (wait) await wait;
      if (call.cancelled) return;
      const outcome = await serve(call.request, toIncomingCall(call));
      if ('failure' in outcome) reply(outcome.failure);
      else reply(null, outcome.reply);
    } finally {
      openCalls.end();
    }
  };
}

function toIncomingCall(call: ServerUnaryCall<Buffer, Buffer>): IncomingCall {
  const signal = createCallSignal();
  call.once('cancelled', () => signal.end());
  const header = (name: string) => call.metadata.get(name)[0]?.toString();
  const sendStarted = () => call.sendMetadata(startedMetadata());
  return { header, deadline: toDate(call.getDeadline()), signal, sendStarted };
}

function toDate(deadline: Date | number): Date {
  const ms = deadline instanceof Date ? deadline.getTime() : deadline;
  return new Date(Number.isFinite(ms) ? ms : Date.now() + defaultDeadlineMs);
}
