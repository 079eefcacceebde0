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
import { toGrpcStatus } from './grpc-errors.ts';
import type { CallContext, GrpcHandlers, ServiceTable, UnaryMethod } from './grpc-types.ts';
import { addReflection, type Contracts } from './reflection.ts';

/** A call whose client set no deadline is given this long. */
const defaultDeadlineMs = 60_000;

/** Inner messages: 1,000 listings with their descriptions fit. */
export const maxMessageBytes = 32 * 1024 * 1024;

type GrpcServerOptions = { name: string; logger: Logger; metrics: Metrics };

/** A gRPC server over the services added to it; every failure is logged once and answered with its code. */
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

    /** Clients may ask for these contracts from now on; of services those that were added before. */
    reflect: (contracts: Contracts) => addReflection(server, contracts, names),

    /** Where it listens, as `host:port`; port 0 lets the system choose. */
    listen: (address: string) =>
      mapListenError(
        new Promise<string>((resolve, reject) =>
          server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) =>
            error ? reject(error) : resolve(`${address.slice(0, address.lastIndexOf(':'))}:${port}`),
          ),
        ),
        { address, setting: 'GRPC_ADDRESS' },
      ),

    /** Takes no new calls, lets those in flight finish for `timeoutMs` at most, then cuts them off. */
    async drain(timeoutMs: number) {
      const timer = setTimeout(() => server.forceShutdown(), timeoutMs);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(timer);
    },
  };
}

/** As the contract names it: shelfwise.tracking.v1.TrackingService. Every path of its methods begins with it. */
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
      const known = asAppError(error);
      outcome = known.code;
      logFailure(context.log, known, error);
      reply(toGrpcStatus(known));
    } finally {
      const ms = performance.now() - startedAt;
      metrics.rpcSeconds.observe({ service: name, method, outcome }, ms / 1000);
      context.log.info({ outcome, ms: Math.round(ms) }, 'call');
    }
  };
}

function openContext(call: ServerUnaryCall<unknown, unknown>, logger: Logger): CallContext {
  const requestId = String(call.metadata.get('x-request-id')[0] ?? 'none');
  const deadline = toDate(call.getDeadline());
  const gone = new AbortController();
  call.once('cancelled', () => gone.abort(new AppError('SERVICE_UNAVAILABLE', 'The caller has gone.')));
  return { requestId, deadline, signal: gone.signal, log: logger.child({ request_id: requestId }) };
}

function toDate(deadline: Date | number): Date {
  const ms = deadline instanceof Date ? deadline.getTime() : deadline;
  return new Date(Number.isFinite(ms) ? ms : Date.now() + defaultDeadlineMs);
}

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseFailure(error))
    return new AppError('SERVICE_UNAVAILABLE', 'The database does not answer. Try again.', { cause: error });
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Try again later.', {
    cause: error,
  });
}

function logFailure(log: Logger, known: AppError, error: unknown): void {
  if (errorCodes[known.code][0] === 500) log.error({ err: error, cause: known.cause }, 'call failed');
  else if (isDatabaseFailure(known.cause)) log.error({ err: known.cause }, 'call failed');
  else log.info({ code: known.code, reason: known.message, cause: describe(known.cause) }, 'call refused');
}

function describe(cause: unknown): string | undefined {
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined;
}
