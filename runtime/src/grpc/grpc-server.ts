import {
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { AppError, errorCodes } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { isDatabaseFailure } from '../mongo/database-errors.ts';
import { mapListenError } from '../process/start-error.ts';
import { readCallMetadata, startedMetadata } from './call-metadata.ts';
import { toGrpcStatus } from './grpc-errors.ts';
import type { CallContext, GrpcHandlers, ServiceTable, UnaryMethod } from './grpc-types.ts';
import { addReflection } from './reflection.ts';

/** The deadline that a handler sees when the client set none. */
const defaultDeadlineMs = 60_000;

/** The message limit between services. The largest reply, 1,000 items with long texts, fits. */
export const maxMessageBytes = 32 * 1024 * 1024;

type GrpcServerOptions = {
  name: string;
  logger: Logger;
  metrics: Metrics;
  /** Whether clients such as grpcurl can read the contracts of the services. Default: no. */
  hasReflection?: boolean | undefined;
};

/**
 * A gRPC server for the added services. Every failure is logged once and returned with its code. The connections are
 * not encrypted.
 */
export function createGrpcServer(options: GrpcServerOptions) {
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  });
  const names: string[] = [];

  return {
    addService<Service extends ServiceTable>(service: Service, handlers: GrpcHandlers<Service>) {
      const implementation: UntypedServiceImplementation = {};
      for (const name of Object.keys(service))
        implementation[name] = toUnaryHandler(name, handlers[name] as AnyHandler, options);
      const methods = service as Record<string, UnaryMethod<unknown, unknown>>;
      server.addService(methods, implementation);
      names.push(nameOf(methods));
    },

    /** Returns the address as `host:port`. Port 0 lets the system choose one. */
    listen(address: string) {
      if (options.hasReflection) addReflection(server, names);
      return mapListenError(
        new Promise<string>((resolve, reject) =>
          server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) =>
            error ? reject(error) : resolve(`${address.slice(0, address.lastIndexOf(':'))}:${port}`),
          ),
        ),
        { address, setting: 'GRPC_ADDRESS' },
      );
    },

    /** Refuses new calls, waits at most `timeoutMs` for open ones, then aborts them. */
    async drain(timeoutMs: number) {
      const timer = setTimeout(() => server.forceShutdown(), timeoutMs);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(timer);
    },
  };
}

/** The full service name: shelfwise.runtime.v1.StatusService. The path of every method starts with it. */
function nameOf(methods: Readonly<Record<string, UnaryMethod<unknown, unknown>>>): string {
  return Object.values(methods)[0]?.path.split('/')[1] ?? '';
}

type AnyHandler = (request: unknown, call: CallContext) => Promise<unknown>;

function toUnaryHandler(method: string, handler: AnyHandler, { name, logger, metrics }: GrpcServerOptions) {
  return async (call: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<unknown>) => {
    const context = openContext(call, logger.child({ service: name, method }));
    const startedAt = performance.now();
    let outcome = 'OK';
    try {
      reply(null, await handler(call.request, context));
    } catch (error) {
      const appError = toAppError(error);
      outcome = appError.code;
      logFailure(context.log, appError, error);
      reply(toGrpcStatus(appError));
    } finally {
      const ms = performance.now() - startedAt;
      metrics.rpcSeconds.observe({ service: name, method, outcome }, ms / 1000);
      context.log.info({ outcome, ms: Math.round(ms) }, 'call');
    }
  };
}

function openContext(call: ServerUnaryCall<unknown, unknown>, logger: Logger): CallContext {
  const { requestId, callerId } = readCallMetadata(call.metadata);
  const deadline = toDate(call.getDeadline());
  const callerLeft = new AbortController();
  call.once('cancelled', () =>
    callerLeft.abort(new AppError('SERVICE_UNAVAILABLE', 'The caller canceled the call.')),
  );
  return {
    requestId,
    callerId,
    deadline,
    signal: callerLeft.signal,
    onStarted: () => call.sendMetadata(startedMetadata()),
    log: logger.child({ request_id: requestId }),
  };
}

function toDate(deadline: Date | number): Date {
  const ms = deadline instanceof Date ? deadline.getTime() : deadline;
  return new Date(Number.isFinite(ms) ? ms : Date.now() + defaultDeadlineMs);
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseFailure(error))
    return new AppError('SERVICE_UNAVAILABLE', 'The database does not answer. Try again.', { cause: error });
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Try again later.', {
    cause: error,
  });
}

function logFailure(log: Logger, appError: AppError, error: unknown): void {
  if (errorCodes[appError.code][0] === 500) log.error({ err: error, cause: appError.cause }, 'call failed');
  else if (isDatabaseFailure(appError.cause)) log.error({ err: appError.cause }, 'call failed');
  else
    log.info(
      { code: appError.code, reason: appError.message, cause: describe(appError.cause) },
      'call refused',
    );
}

function describe(cause: unknown): string | undefined {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
}
