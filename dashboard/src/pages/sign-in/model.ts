/** The page holds nothing of an account, because anyone may open it. */
export type SignInModel = {
  /** Whether an assistant waits: the same address then shows what it asks for. */
  isForConnection: boolean;
};
