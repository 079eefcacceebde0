import type { Store } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';

/** All kinds of failure, and what a caller can do about each. */
const advice = {
  /** the store refuses calls from this address */
  blocked: 'Wait a minute and try again; fewer calls a minute avoid this',
  /** the store takes this address for a robot and sends a captcha */
  captcha: 'Make fewer calls from this address, wait, and try again',
  /** the store returns nothing where it always has something */
  throttled: 'Wait a minute and try again; fewer calls a minute avoid this',
  /** the store answers with an error */
  error: 'Try again later',
  /** a result page without results that is not believed yet */
  unproven: 'Try again in ten minutes',
  /** an answer other than the requested page */
  malformed:
    'Try again in a few minutes; if that does not help, the store has changed its answers and Shelfwise must be updated',
  /** no complete answer within the time limit */
  timeout: 'Try again later',
  /** no connection, or a broken one */
  unreachable: 'Check the network and the configured address of the store, then try again',
  /** the last caller gave up before the store answered; says nothing about the store */
  abandoned: 'Try again and allow more time',
  /** not called: the store budget is exhausted */
  budget_exhausted: 'Try again in a minute; more outgoing addresses (STORE_PROXIES) allow more calls',
  /** not called: calls failed so often that the breaker is open; the message says until when */
  circuit_open: 'Try again after that',
} as const;

export type StoreFailureKind = keyof typeof advice;

export const storeFailureKinds = Object.keys(advice) as StoreFailureKind[];

/**
 * Why a store could not be read. `message` continues a sentence that starts with the store's name. It is for operators:
 * for a malformed answer it names the position in the answer.
 */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
  readonly kind: StoreFailureKind;
  /** The message for users of the API. */
  readonly userMessage: string;
  /** Whether a retry would have the same outcome; such a failure is not retried. */
  readonly isPermanent: boolean;
  /**
   * Whether the failure lasts and may concern only what was asked: a malformed answer, or an error that a retry would
   * not change.
   */
  readonly concernsItem: boolean;

  constructor(
    kind: StoreFailureKind,
    message: string,
    {
      isPermanent = false,
      userMessage = kind === 'malformed' ? 'sent an answer that Shelfwise cannot read' : message,
      ...options
    }: { cause?: unknown; isPermanent?: boolean; userMessage?: string } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.userMessage = userMessage;
    this.isPermanent = isPermanent;
    this.concernsItem = kind === 'malformed' || (kind === 'error' && isPermanent);
  }
}

/** The start of a sentence about a store. */
const subjects: Readonly<Record<Store, string>> = {
  ITUNES: 'The App Store',
  GPLAY: 'Google Play',
};

/** The error for callers: which store, what happened, what to do. Its `cause` is the failure, for the log. */
export function storeFetchFailed(store: Store, failure: StoreFailure): AppError {
  return new AppError(
    'STORE_FETCH_FAILED',
    `${subjects[store]} ${failure.userMessage}. ${advice[failure.kind]}.`,
    { cause: failure },
  );
}

/** The error for callers when a result page is empty and not believed (yet). */
export function unprovenPage(store: Store, failure: StoreFailure): AppError {
  const { code, message, cause } = storeFetchFailed(store, failure);
  return new AppError(code, message, { cause, isUnproven: true });
}

/** The error for callers when the storefront does not have the app. */
export function appNotFound({ store, country }: Storefront, appId: string): AppError {
  return new AppError('APP_NOT_FOUND', `${subjects[store]} has no app ${appId} in ${country}.`);
}

/** The error for callers when no answer of the store has shown an icon of the app. */
export function iconNotFound(): AppError {
  return new AppError('NOT_FOUND', 'No icon of this app is known.');
}
