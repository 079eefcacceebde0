/** The port that every call passes once: key version, both rate windows and the monthly quota in one decision. */
export type LimitDecider = {
  decide(call: LimitedCall): Promise<LimitDecision>;
  /** Gives back what a call spent that ended in a 5xx. `at` is the moment of its decision. */
  refund(spent: { accountId: string; quotaCost: 0 | 1; at: Date }): Promise<void>;
  /** From now on a call with an older version of the account's key is answered `key-replaced`. */
  replaceKey(accountId: string, keyVersion: number): void;
  /** How many accounts have windows in this process at the moment. */
  windowCount(): number;
};

export type LimitedCall = {
  accountId: string;
  keyVersion: number;
  /** What the call spends of the monthly quota; 0 too when its parameters are bad. */
  quotaCost: 0 | 1;
  /** The plan's API requests a month; null means no cap. */
  quotaLimit: number | null;
  at: Date;
};

export type LimitDecision =
  | { outcome: 'admitted' }
  | { outcome: 'rate-limited'; limit: 5 | 60; retryAfterSeconds: number; resetAtSeconds: number }
  | { outcome: 'quota-exceeded'; usage: QuotaUsage }
  | { outcome: 'key-replaced' };

/** The month's state, as a QUOTA_EXCEEDED answer shows it. */
export type QuotaUsage = { api_requests: number; api_requests_per_month: number; renews_at: string };
