import type { BreakerCall } from '../store-health/breaker.ts';
import type { Address, Endpoint } from '../store-health/endpoints.ts';
import type { Question } from '../store-health/question.ts';
import type { Urgency } from './urgency.ts';

/** The right to make one call through one address. */
export type CallSlot = { address: Address; breakerCall: BreakerCall };

export type SlotRequest = {
  endpoint: Endpoint;
  question: Question;
  urgency: Urgency;
  signal: AbortSignal;
  /** Not to be used for this call. At least one other address must be left. */
  excludedAddresses: ReadonlySet<Address>;
  /** How long to wait from now on, in milliseconds; read again when the request becomes urgent. */
  maxWaitMs(): number;
};
