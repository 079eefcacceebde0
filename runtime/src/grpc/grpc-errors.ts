import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';
import { AppError, type ErrorDetails, errorCodes, isErrorCode } from '../errors.ts';

const codeKey = 'shelfwise-error-code';
const detailsKey = 'shelfwise-error-details-bin';

/** Encodes an AppError as a gRPC status, with its code and details in the metadata. */
export function toGrpcStatus(error: AppError): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set(codeKey, error.code);
  if (error.details) metadata.set(detailsKey, Buffer.from(JSON.stringify(error.details)));
  return { code: errorCodes[error.code][1], details: error.message, metadata };
}

/** Decodes a failed call. A failure that no handler reported becomes SERVICE_UNAVAILABLE or INTERNAL_ERROR. */
export function fromGrpcError(serviceName: string, error: ServiceError): AppError {
  const code = error.metadata?.get(codeKey)[0];
  if (typeof code === 'string' && isErrorCode(code)) {
    const details = parseDetails(error.metadata.get(detailsKey)[0]);
    return new AppError(code, error.details, details ? { cause: error, details } : { cause: error });
  }
  if (error.code === status.DEADLINE_EXCEEDED)
    return unavailable(`The ${serviceName} service did not answer in time. Try again.`, error);
  if (error.code === status.UNAVAILABLE || error.code === status.CANCELLED)
    return unavailable(`The ${serviceName} service cannot be reached. Try again.`, error);
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
