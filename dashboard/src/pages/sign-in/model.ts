/** The page holds nothing, because anyone may open it. */
export type SignInModel = Record<string, never>;
