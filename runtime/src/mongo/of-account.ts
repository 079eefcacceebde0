/** Selects the documents whose `_id` is the account's id, a colon and something else. A semicolon follows a colon. */
export function ofAccount(accountId: string) {
  return { _id: { $gte: `${accountId}:`, $lt: `${accountId};` } } as object;
}
