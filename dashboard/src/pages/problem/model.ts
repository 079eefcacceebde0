/** Why a page cannot be shown. */
export type ProblemModel = {
  message: string;
  requestId: string;
  /** whether another try may help */
  canRetry: boolean;
  /** when it may; null: at any time */
  retryAfterSeconds: number | null;
};
