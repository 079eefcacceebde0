import { AppError } from '@shelfwise/runtime/errors';
import type { Accounts, AccountWithKey } from './accounts.ts';
import { createNumbered } from './numbered-accounts.ts';

/** Creates accounts until the third one, whose email is taken. */
function createAccounts(deleteAccount: (id: string) => Promise<void>): Accounts {
  return {
    create: async ({ email }: { email: string }) => {
      if (email.includes('+3@')) throw new AppError('DUPLICATE', 'An account with this email exists.');
      return { id: email } as unknown as AccountWithKey;
    },
    delete: async ({ id }: { id: string }) => deleteAccount(id),
  } as unknown as Accounts;
}

const three = { email: 'a@b.c', count: 3, plan: 'free' };

test('when one account cannot be created, those created before are deleted', async () => {
  const deleted: string[] = [];
  const accounts = createAccounts(async (id) => void deleted.push(id));
  await expect(createNumbered(three, accounts)).rejects.toMatchObject({ code: 'DUPLICATE' });
  expect(deleted).toEqual(['a+1@b.c', 'a+2@b.c']);
});

test('an error while they are deleted does not hide the reason', async () => {
  const accounts = createAccounts(() => Promise.reject(new Error('no database')));
  const creating = createNumbered(three, accounts);
  await expect(creating).rejects.toThrow(/An account with this email exists.*could not be deleted/);
  await expect(creating).rejects.toMatchObject({
    errors: [{ code: 'DUPLICATE' }, { message: 'no database' }],
  });
});
