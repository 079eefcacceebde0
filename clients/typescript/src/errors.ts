import { adviseOnCode, adviseOnSilence } from './advise.ts';
import type { ErrorBody, ErrorCode } from './generated/schemas.ts';

type Facts = {
  /** The id of the call in the logs of the API; null: it is not known. */
  requestId: string | null;
  /** Sending the same call again does nothing twice. */
  isRepeatable: boolean;
};

/** Whatever goes wrong with a call, except that its caller ended it: that is the reason of the signal. */
export abstract class ShelfwiseError extends Error {
  readonly requestId: string | null;
  readonly isRepeatable: boolean;
  /** The same call can succeed later. */
  abstract readonly isTemporary: boolean;
  /** What to do about it; null: the message says so. */
  abstract readonly advice: string | null;

  constructor(message: string, { requestId, isRepeatable }: Facts, options?: ErrorOptions) {
    super(message, options);
    this.requestId = requestId;
    this.isRepeatable = isRepeatable;
  }
}

/** The API refused the call, or failed. */
export class ApiError extends ShelfwiseError {
  override readonly name = 'ApiError';
  /** Of the table of the API. A later version may have others; HTTP_502 is an answer of something in front of the API. */
  readonly code: ErrorCode | (string & Record<never, never>);
  readonly status: number;
  /** Which fields are wrong, or with DUPLICATE the id of what exists. */
  readonly details: ErrorBody['details'] | null;
  /** With QUOTA_EXCEEDED what was spent, and when the quota renews. */
  readonly usage: ErrorBody['usage'] | null;
  /** How long the API asks to wait. */
  readonly retryAfterMs: number | null;
  /** With RATE_LIMITED the window that is full: 5 or 60 calls, and when it has room again. */
  readonly rateLimit: { limit: number; resetAt: Date } | null;
  override readonly advice: string | null;

  constructor(response: { status: number; headers: Headers; body: Partial<ErrorBody> | null }, facts: Facts) {
    const { status, headers, body } = response;
    super(body?.error ?? `This is not an answer of the Shelfwise API (status ${status}).`, facts);
    this.status = status;
    this.code = body?.code ?? `HTTP_${status}`;
    this.details = body?.details ?? null;
    this.usage = body?.usage ?? null;
    this.retryAfterMs = readRetryAfter(headers.get('retry-after'));
    const limit = readNumber(headers.get('x-ratelimit-limit'));
    const reset = readNumber(headers.get('x-ratelimit-reset'));
    this.rateLimit = limit === null || reset === null ? null : { limit, resetAt: new Date(reset * 1000) };
    this.advice = adviseOnCode(this.code, status, facts.isRepeatable);
  }

  override get isTemporary(): boolean {
    return this.status >= 500 || this.code === 'RATE_LIMITED';
  }
}

/** There was no answer: the API cannot be reached, or the connection ended. A write may have been done. */
export class ConnectionError extends ShelfwiseError {
  override readonly name = 'ConnectionError';
  override readonly isTemporary = true;
  override readonly advice = adviseOnSilence(this.isRepeatable);
}

/** There was no answer in time. A write may have been done, or still be under way. */
export class TimeoutError extends ShelfwiseError {
  override readonly name = 'TimeoutError';
  override readonly isTemporary = true;
  override readonly advice = adviseOnSilence(this.isRepeatable);
}

/** Seconds; what is in front of the API may send a date. */
function readRetryAfter(text: string | null): number | null {
  const seconds = readNumber(text);
  if (seconds !== null) return seconds * 1000;
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

function readNumber(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
