import { type ErrorCode, errorCodes, isUpstreamCode } from '@shelfwise/proto/error-codes';

export { type ErrorCode, errorCodes };

export type ErrorDetails = RequestProblems | ExistingRow;

/**
 * What is wrong with a request. `fieldErrors` are the problems per field, `formErrors` those of the request as a whole,
 * and `notes` are hints that help to correct it.
 */
export type RequestProblems = {
  issues: { formErrors: string[]; fieldErrors: Record<string, string[]> };
  notes: string[];
};

/** What a DUPLICATE would have added is there, with this id. */
export type ExistingRow = { id: number };

/**
 * A failure that a client may see. `message` is a sentence for people and contains no secrets; `cause` goes to the
 * log only.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  /** An upstream has answered that there is nothing, which is not believed yet. Clients do not see it. */
  readonly isUnproven: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: ErrorDetails | undefined; isUnproven?: boolean } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.details = options.details;
    this.isUnproven = options.isUnproven ?? false;
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
  return error instanceof AppError && isUpstreamCode(error.code);
}
