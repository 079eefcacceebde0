import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';
import { AppError, type ErrorDetails, errorCodes, isErrorCode } from '../errors.ts';
import { secretAdvice } from './grpc-secret.ts';

const codeKey = 'shelfwise-error-code';
const refusedKey = 'shelfwise-refused';
const detailsKey = 'shelfwise-error-details-bin';
const unprovenKey = 'shelfwise-unproven';
/** Negative: the client does not send the call again. It has been handled, and repeating it would only add load. */
const pushbackKey = 'grpc-retry-pushback-ms';

/** An error travels in HTTP/2 headers. With more than 64 KB of them the reply would never arrive. */
const maxErrorChars = 2000;
const maxDetailsBytes = 16_000;

/** How a call failed, as gRPC sends it. */
export type GrpcStatus = StatusObject;

/**
 * Encodes an AppError as a gRPC status, with its code and details in the metadata. Cuts a message over 2,000
 * characters, and leaves out details over 16 KB.
 */
export function toGrpcStatus(error: AppError): GrpcStatus {
  const metadata = new Metadata();
  metadata.set(codeKey, error.code);
  metadata.set(pushbackKey, '-1');
  if (error.isUnproven) metadata.set(unprovenKey, 'true');
  const details = error.details && Buffer.from(JSON.stringify(error.details));
  if (details && details.byteLength <= maxDetailsBytes) metadata.set(detailsKey, details);
  return { code: errorCodes[error.code][1], details: toWellFormed(error.message), metadata };
}

/** Half of a surrogate pair, which cannot be encoded, becomes U+FFFD. */
function toWellFormed(message: string): string {
  return Buffer.from(message.slice(0, maxErrorChars)).toString();
}

/** A failed call as the client of gRPC reports it. */
export function toServiceError(failure: GrpcStatus): ServiceError {
  const error = new Error(`${failure.code} ${status[failure.code]}: ${failure.details}`);
  return Object.assign(error, failure);
}

/** A call that failed without an answer of a handler, as the client of gRPC reports it. */
export function newServiceError(code: status, details: string): ServiceError {
  return toServiceError({ code, details, metadata: new Metadata() });
}

/** The failure of a call after the client has been closed. */
export function clientClosed(): ServiceError {
  return newServiceError(status.UNAVAILABLE, 'the client is closed');
}

/** The answer of a server that stops: it does not begin the call, and the client sends it again. */
export function toRefusal(): GrpcStatus {
  const metadata = new Metadata();
  metadata.set(refusedKey, 'true');
  // The library would repeat it in addition to the client, which does so more often.
  metadata.set(pushbackKey, '-1');
  return { code: status.UNAVAILABLE, details: 'the server is stopping', metadata };
}

/**
 * Whether a server refused a call without beginning it, because it stops or the connection was closing. Sending it again is
 * safe for every method.
 */
export function isRefused({ code, details, metadata }: ServiceError): boolean {
  if (code !== status.UNAVAILABLE) return false;
  // The library keeps the HTTP/2 code to itself. No handler has a say: its failures have a code of their own.
  const isStreamRefused = details === 'Stream refused by server' && metadata.get(codeKey).length === 0;
  return isStreamRefused || metadata.get(refusedKey).length > 0;
}

/** Decodes a failed call. A failure that no handler reported becomes SERVICE_UNAVAILABLE or INTERNAL_ERROR. */
export function fromGrpcError(serviceName: string, error: ServiceError): AppError {
  const code = error.metadata?.get(codeKey)[0];
  if (typeof code === 'string' && isErrorCode(code)) {
    const details = parseDetails(error.metadata.get(detailsKey)[0]);
    const isUnproven = error.metadata.get(unprovenKey).length > 0;
    return new AppError(code, error.details, { cause: error, details, isUnproven });
  }
  if (error.code === status.DEADLINE_EXCEEDED)
    return unavailable(`The ${serviceName} service did not answer in time. Try again.`, error);
  if (error.code === status.UNAVAILABLE || error.code === status.CANCELLED)
    return unavailable(`The ${serviceName} service cannot be reached. Try again.`, error);
  if (error.code === status.UNAUTHENTICATED)
    return unavailable(
      `The ${serviceName} service refuses the calls of this process, because its secret is missing or another one. ${secretAdvice}`,
      error,
    );
  if (error.code === status.UNIMPLEMENTED)
    return unavailable(`The ${serviceName} service is being updated. Try again in a minute.`, error);
  return new AppError('INTERNAL_ERROR', `The ${serviceName} service failed. Try again later.`, {
    cause: error,
  });
}

function unavailable(message: string, cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', message, { cause });
}

function parseDetails(value: unknown): ErrorDetails | undefined {
  return Buffer.isBuffer(value) ? (JSON.parse(value.toString('utf8')) as ErrorDetails) : undefined;
}
