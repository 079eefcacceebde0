import type { WindowLimit } from './sliding-windows.ts';

/** Decides once per call: whether the key was replaced, both rate windows and the monthly quota. */
export type LimitDecider = {
  decide(call: LimitedCall): Promise<LimitDecision>;
  /** Refunds what a failed call has spent. `at` is the time of its decision. */
  refund(spent: Pick<LimitedCall, 'accountId' | 'quotaCost' | 'at'>): Promise<void>;
};

export type LimitedCall = {
  accountId: string;
  keyVersion: number;
  /** What the call spends of the monthly quota; also 0 when its parameters are wrong. */
  quotaCost: 0 | 1;
  /** The plan's API requests a month; null means no cap. */
  quotaLimit: number | null;
  at: Date;
};

export type LimitDecision =
  | { outcome: 'admitted' }
  | { outcome: 'key-replaced' }
  | RateLimited
  | { outcome: 'quota-exceeded'; usage: QuotaUsage };

/** A full window. With both full, the one that has room later. */
export type RateLimited = { outcome: 'rate-limited'; limit: WindowLimit; retryAfterMs: number };

/** The month's usage, as a QUOTA_EXCEEDED answer shows it. */
export type QuotaUsage = { api_requests: number; api_requests_per_month: number; renews_at: string };
