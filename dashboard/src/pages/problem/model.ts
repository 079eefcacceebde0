/** Why a page cannot be shown, and whether another try may help. */
export type ProblemModel = { message: string; requestId: string; canRetry: boolean };
