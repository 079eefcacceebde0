import type { Store } from '@shelfwise/facts/stores/store';
import { AppError } from '@shelfwise/runtime/errors';

/** What a caller can do, per kind of failure. The list of kinds is closed. */
const advice = {
  /** the store refuses calls from this address */
  blocked: 'Wait a minute and try again; fewer calls a minute avoid this',
  /** the store takes this address for a robot and asks for a person */
  captcha: 'Make fewer calls from this address, wait, and try again',
  /** the store answers like one that has nothing, where it always has something */
  throttled: 'Wait a minute and try again; fewer calls a minute avoid this',
  /** the store says that it cannot answer */
  error: 'Try again later',
  /** an answer that is not the page that was asked for */
  malformed: 'Try again; if it stays so, the store has changed its answers and this reader has to follow',
  /** no complete answer within the time limit */
  timeout: 'Try again later',
  /** no connection, or one that broke */
  unreachable: 'Check the network and the configured address of the store, then try again',
  /** the caller gave up before the store had answered; says nothing about the store */
  abandoned: 'Try again and allow more time',
  /** not asked: the calls that the store allows a minute are used up */
  budget_exhausted: 'Try again in a minute; more outgoing addresses (STORE_PROXIES) allow more calls',
  /** not asked: it failed so often that its breaker is open */
  circuit_open: 'Try again after that',
} as const;

export type StoreFailureKind = keyof typeof advice;

/** Why a store could not be read. `message` continues a sentence that begins with the store's name. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
  readonly kind: StoreFailureKind;
  /** Whether a retry would have the same outcome, so that there is none. */
  readonly isPermanent: boolean;

  constructor(
    kind: StoreFailureKind,
    message: string,
    { isPermanent = false, ...options }: { cause?: unknown; isPermanent?: boolean } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.isPermanent = isPermanent;
  }
}

/** How a sentence about a store begins. */
const subjects: Readonly<Record<Store, string>> = {
  ITUNES: 'The App Store',
  GPLAY: 'Google Play',
};

/** The failure as callers see it: which store, what happened, what to do. The failure itself is its `cause`. */
export function storeFetchFailed(store: Store, failure: StoreFailure): AppError {
  return new AppError(
    'STORE_FETCH_FAILED',
    `${subjects[store]} ${failure.message}. ${advice[failure.kind]}.`,
    { cause: failure },
  );
}
