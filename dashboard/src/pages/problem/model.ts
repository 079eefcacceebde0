/** Why a page cannot be shown. */
export type ProblemModel = {
  message: string;
  /** what still works: other pages; all pages after the wait; perhaps other pages */
  works: 'other_pages' | 'after_wait' | 'maybe_others';
  requestId: string;
  /** whether another try may help */
  canRetry: boolean;
  /** when it may; null: at any time */
  retryAfterSeconds: number | null;
  /** whether the page loads again by itself then */
  reloads: boolean;
};
