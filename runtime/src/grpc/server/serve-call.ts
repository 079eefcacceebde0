import { AppError, errorCodes } from '../../errors.ts';
import { describeCause } from '../../log/log-error.ts';
import type { Logger } from '../../log/logger.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { isDatabaseFailure } from '../../mongo/database-errors.ts';
import { recordError } from '../../tracing/in-span.ts';
import { currentTracing, type Span } from '../../tracing/tracing.ts';
import { fromCallHeaders } from '../call-headers.ts';
import { type GrpcStatus, toGrpcStatus } from '../grpc-errors.ts';
import type { CallContext, IncomingCall, UnaryMethod } from '../grpc-types.ts';
import { checkMessageSize } from '../message-size.ts';
import { inServerSpan, isStatusCall } from '../rpc-spans.ts';

/** The encoded reply, or the status of a failed call. */
export type Outcome = { reply: Buffer } | { failure: GrpcStatus };

/** Answers the calls of one method. Never rejects. */
export type ServeCall = (request: Buffer, call: IncomingCall) => Promise<Outcome>;

export type AnyHandler = (request: unknown, call: CallContext) => Promise<unknown>;

/**
 * What every transport does with a call: decodes the request, runs the handler, encodes the reply, measures the time,
 * and logs one line, at debug for a health page that got its status. An unexpected failure also has a line with its
 * stack.
 */
export function createServeCall(options: {
  service: string;
  method: string;
  codec: UnaryMethod<unknown, unknown>;
  handler: AnyHandler;
  logger: Logger;
  metrics: Metrics;
}): ServeCall {
  const { service, method, codec, handler, metrics } = options;
  const logger = options.logger.child({ service, method });

  async function serve(request: Buffer, call: IncomingCall, span: Span | null): Promise<Outcome> {
    const context = openContext(call, logger);
    const startedAt = performance.now();
    let failure: AppError | null = null;
    try {
      const reply = await handler(codec.requestDeserialize(request), context);
      return { reply: checkMessageSize(codec.responseSerialize(reply)) };
    } catch (error) {
      failure = toAppError(error);
      if (span !== null) recordError(span, failure);
      logUnexpected(context.log, failure, error);
      return { failure: toGrpcStatus(failure) };
    } finally {
      const ms = performance.now() - startedAt;
      const outcome = failure?.code ?? 'OK';
      metrics.rpcSeconds.observe({ service, method, outcome }, ms / 1000);
      const level = failure === null && isStatusCall(codec.path) ? 'debug' : 'info';
      logger[level](
        {
          request_id: context.requestId,
          account_id: context.callerId,
          outcome,
          ...(failure !== null && describe(failure)),
          ms: Math.round(ms),
        },
        'call',
      );
    }
  }

  // An error that cannot be logged or encoded must not end the process.
  const serveSafely = (request: Buffer, call: IncomingCall, span: Span | null) =>
    serve(request, call, span).catch((error: unknown) => {
      logger.error({ err: error, request_id: fromCallHeaders(call.header).requestId }, 'call failed');
      return { failure: toGrpcStatus(toAppError(null)) };
    });

  return (request, call) => {
    const tracing = currentTracing();
    if (tracing === null) return serveSafely(request, call, null);
    return inServerSpan(tracing, { service, path: codec.path, call }, (span) =>
      serveSafely(request, call, span),
    );
  };
}

/** The signal and the log are created when the handler first asks for them. */
function openContext(call: IncomingCall, logger: Logger): CallContext {
  const carried = fromCallHeaders(call.header);
  let log: Logger | undefined;
  return {
    requestId: carried.requestId,
    callerId: carried.callerId,
    deadline: call.deadline,
    get signal() {
      return call.signal.get();
    },
    onStarted: call.sendStarted,
    get log() {
      log ??= logger.child({ request_id: carried.requestId, account_id: carried.callerId });
      return log;
    },
  };
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseFailure(error))
    return new AppError('SERVICE_UNAVAILABLE', 'The database does not answer. Try again.', { cause: error });
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Try again later.', {
    cause: error,
  });
}

function logUnexpected(log: Logger, appError: AppError, error: unknown): void {
  if (!isUnexpected(appError)) return;
  const isInternal = errorCodes[appError.code][0] === 500;
  log.error({ err: isInternal ? error : appError.cause }, 'call failed');
}

/** No handler has decided on such a failure: it has a line of its own, with the stack. */
function isUnexpected({ code, cause }: AppError): boolean {
  return errorCodes[code][0] === 500 || isDatabaseFailure(cause);
}

/** What the line of the call says about its failure. */
function describe(failure: AppError): { reason: string; cause?: string | undefined } {
  const { message: reason, cause } = failure;
  if (isUnexpected(failure)) return { reason };
  return { reason, cause: describeCause(cause) };
}
