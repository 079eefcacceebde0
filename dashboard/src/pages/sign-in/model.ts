/** The page holds nothing: whoever opens it is a stranger. */
export type SignInModel = Record<string, never>;
