/** Decides once per call: key version, both rate windows and the monthly quota. */
export type LimitDecider = {
  decide(call: LimitedCall): Promise<LimitDecision>;
  /**
   * Refuses a call again while the window that refused the account's last call in this process is still full, without
   * a new decision; otherwise null. Counts nothing.
   */
  repeatRefusal(call: Pick<LimitedCall, 'accountId' | 'keyVersion' | 'at'>): Refusal | null;
  /** Refunds what a failed call has spent. `at` is the time of its decision. */
  refund(spent: { accountId: string; quotaCost: 0 | 1; at: Date }): Promise<void>;
  /** From now on a call with an older version of the account's key is answered `key-replaced`. */
  replaceKey(accountId: string, keyVersion: number): void;
  /** How many accounts have windows in this process now. */
  windowCount(): number;
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
  | Refusal
  | { outcome: 'quota-exceeded'; usage: QuotaUsage };

/** A refusal that comes before the parameters. */
type Refusal =
  | { outcome: 'rate-limited'; limit: 5 | 60; retryAfterSeconds: number; resetAtSeconds: number }
  | { outcome: 'key-replaced' };

/** The month's usage, as a QUOTA_EXCEEDED answer shows it. */
export type QuotaUsage = { api_requests: number; api_requests_per_month: number; renews_at: string };
