import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { AppError } from '@shelfwise/runtime/errors';
import type { Accounts, AccountWithKey, DeletedAccount } from './accounts.ts';

/** The most accounts of one command: it answers within seconds. */
export const mostNumberedAccounts = 1000;

const atOnce = 16;

/** Several accounts whose emails differ in a number only, as load tests need them: a@b.c gives a+1@b.c, a+2@b.c and so on. */
export type Numbered = { email: string; count: number };

/**
 * Creates all of them or, when one cannot be created, none.
 * @throws DUPLICATE, INVALID_PARAMS as `Accounts.create`
 */
export async function createNumbered(
  { email, count, plan }: Numbered & { plan: string },
  accounts: Accounts,
): Promise<AccountWithKey[]> {
  const created: AccountWithKey[] = [];
  try {
    return await mapLimited(numberedEmails({ email, count }), atOnce, async (one) => {
      const account = await accounts.create({ email: one, plan });
      created.push(account);
      return account;
    });
  } catch (error) {
    // Their keys would be lost.
    await mapLimited(created, atOnce, ({ id }) => accounts.delete({ id })).catch((cause: unknown) => {
      throw new AggregateError(
        [error, cause],
        `${String(error)}; and the accounts created before could not be deleted`,
      );
    });
    throw error;
  }
}

/**
 * Deletes those that exist.
 * @throws NOT_FOUND when none exists
 */
export async function deleteNumbered(numbered: Numbered, accounts: Accounts): Promise<DeletedAccount[]> {
  const deleted = await mapLimited(numberedEmails(numbered), atOnce, (email) =>
    accounts.delete({ email }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }),
  );
  const found = deleted.filter((one) => one !== null);
  if (found.length === 0) throw new AppError('NOT_FOUND', 'None of these accounts exists.');
  return found;
}

function numberedEmails({ email, count }: Numbered): string[] {
  const at = email.lastIndexOf('@');
  return Array.from({ length: count }, (_, index) => `${email.slice(0, at)}+${index + 1}${email.slice(at)}`);
}
