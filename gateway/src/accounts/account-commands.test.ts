import { accountUsage, formatAccountResult } from './account-commands.ts';

test('the usage names every command', () => {
  for (const command of ['create', 'list', 'regenerate', 'set-plan']) expect(accountUsage).toContain(command);
});

test('the output for people shows a new key once and asks to save it', () => {
  const account = { id: '7', email: 'a@b.c', plan: 'free' };
  const created = formatAccountResult(
    { action: 'create', email: 'a@b.c', plan: 'free' },
    { ...account, key: 'sw_live_x' },
  );
  expect(created).toMatch(/a@b\.c[\s\S]*sw_live_x[\s\S]*only once/);
  expect(formatAccountResult({ action: 'set-plan', id: '7', plan: 'free' }, account)).not.toContain('key');
});

test('the output for people has one line per account and the total', () => {
  const row = {
    id: '7',
    email: 'a@b.c',
    plan: 'free',
    key_prefix: 'sw_live_abcd',
    created_at: '2026-06-15T12:00:00.000Z',
  };
  const list = { accounts: [row], total: 51, page: 2, per_page: 50 };
  const lines = formatAccountResult({ action: 'list', page: 2, per_page: 50 }, list).split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^7 .*free .*sw_live_abcd… .*2026-06-15 .*a@b\.c$/),
    '51 accounts, page 2 of 2',
  ]);
});

test('the total of one account is singular, and a page after the last is named', () => {
  const format = (total: number, page: number) =>
    formatAccountResult({ action: 'list', page, per_page: 50 }, { accounts: [], total, page, per_page: 50 });
  expect(format(1, 1)).toBe('1 account, page 1 of 1');
  expect(format(0, 1)).toBe('0 accounts, page 1 of 1');
  expect(format(1, 9)).toBe('1 account: there is no page 9, the last one is page 1');
});

test('the output of numbered accounts has each key once, and how many were deleted', () => {
  const one = { id: '7', email: 'a+1@b.c', plan: 'free', key: 'sw_live_x' };
  const created = formatAccountResult(
    { action: 'create', email: 'a@b.c', plan: 'free', count: 1 },
    { created_accounts: [one] },
  );
  expect(created.match(/sw_live_x/g)).toHaveLength(1);
  expect(created).toMatch(/a\+1@b\.c.*\n.*only once/);
  const deleted = formatAccountResult(
    { action: 'delete', email: 'a@b.c', count: 1, yes: true },
    { deleted_accounts: [{ id: '7', email: 'a+1@b.c', deleted: true }] },
  );
  expect(deleted).toMatch(/^Deleted 1 account\./);
});
