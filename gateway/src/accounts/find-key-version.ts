import type { Connection } from 'mongoose';
import { type AccountDocument, createAccountModel } from './account-model.ts';

/** Reads the version of an account's key; null when there is no such account. */
export function createFindKeyVersion(connection: Connection): (accountId: string) => Promise<number | null> {
  const model = createAccountModel(connection);
  return async (accountId) => {
    const found = await model
      .findOne({ _id: accountId })
      .select({ key_version: 1 })
      .lean<Pick<AccountDocument, 'key_version'>>();
    return found?.key_version ?? null;
  };
}
