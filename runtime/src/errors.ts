import { status as grpcStatus } from '@grpc/grpc-js';

/**
 * Every error code of the API with its HTTP status and its gRPC status between services. The list is closed: other
 * codes do not exist. Several codes share a gRPC status, so the code itself travels in the metadata of the call.
 */
export const errorCodes = {
  INVALID_PARAMS: [400, grpcStatus.INVALID_ARGUMENT],
  SELF_COMPETITOR: [400, grpcStatus.INVALID_ARGUMENT],
  MISSING_API_KEY: [401, grpcStatus.UNAUTHENTICATED],
  INVALID_API_KEY: [401, grpcStatus.UNAUTHENTICATED],
  PLAN_REQUIRED: [403, grpcStatus.PERMISSION_DENIED],
  PLAN_LIMIT: [403, grpcStatus.PERMISSION_DENIED],
  NOT_FOUND: [404, grpcStatus.NOT_FOUND],
  APP_NOT_FOUND: [404, grpcStatus.NOT_FOUND],
  COMPETITOR_NOT_FOUND: [404, grpcStatus.NOT_FOUND],
  METHOD_NOT_ALLOWED: [405, grpcStatus.UNIMPLEMENTED],
  DUPLICATE: [409, grpcStatus.ALREADY_EXISTS],
  PAYLOAD_TOO_LARGE: [413, grpcStatus.INVALID_ARGUMENT],
  RATE_LIMITED: [429, grpcStatus.RESOURCE_EXHAUSTED],
  QUOTA_EXCEEDED: [429, grpcStatus.RESOURCE_EXHAUSTED],
  CREATE_APP_FAILED: [500, grpcStatus.INTERNAL],
  INTERNAL_ERROR: [500, grpcStatus.INTERNAL],
  STORE_FETCH_FAILED: [502, grpcStatus.UNAVAILABLE],
  ANALYSIS_FAILED: [502, grpcStatus.INTERNAL],
  SERVICE_UNAVAILABLE: [503, grpcStatus.UNAVAILABLE],
} as const satisfies Record<string, readonly [httpStatus: number, grpcStatus: number]>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * `fieldErrors` are the problems per field, `formErrors` those of the request as a whole, and `notes` are hints that
 * help to correct it.
 */
export type ErrorDetails = {
  issues: { formErrors: string[]; fieldErrors: Record<string, string[]> };
  notes: string[];
};

/**
 * A failure that a client may see. `message` is a sentence for people and contains no secrets; `cause` goes to the
 * log only.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: ErrorDetails } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.details = options.details;
  }
}

/** INVALID_PARAMS with one problem per field: `invalidParams({ lang: 'is not a BCP 47 language' })`. */
export function invalidParams(fields: Record<string, string>): AppError {
  const named = Object.entries(fields).map(([field, problem]) => `${field} ${problem}`);
  return new AppError('INVALID_PARAMS', named.join('; '), {
    details: {
      issues: {
        formErrors: [],
        fieldErrors: Object.fromEntries(Object.entries(fields).map(([field, problem]) => [field, [problem]])),
      },
      notes: [],
    },
  });
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

/**
 * Whether an upstream service failed or could not be reached. The failure may be temporary and is not the caller's
 * fault.
 */
export function isUpstreamFailure(error: unknown): error is AppError {
  return (
    error instanceof AppError && (error.code === 'STORE_FETCH_FAILED' || error.code === 'SERVICE_UNAVAILABLE')
  );
}
