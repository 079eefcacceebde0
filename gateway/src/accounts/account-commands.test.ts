import { accountUsage, formatAccountResult, parseAccountCommand } from './account-commands.ts';

const parse = (line: string) => parseAccountCommand(line.split(' ').filter(Boolean));

test.each([
  ['create --email a@b.c --plan unlimited', { action: 'create', email: 'a@b.c', plan: 'unlimited' }],
  [
    'create --email a@b.c --plan free --count 20',
    { action: 'create', email: 'a@b.c', plan: 'free', count: 20 },
  ],
  ['delete --email a@b.c --count 20 --yes', { action: 'delete', email: 'a@b.c', count: 20, yes: true }],
  ['list', { action: 'list', page: 1, per_page: 50 }],
  ['list --page 3 --per-page 1000', { action: 'list', page: 3, per_page: 1000 }],
  ['regenerate --email a@b.c', { action: 'regenerate', email: 'a@b.c' }],
  ['regenerate --id 7', { action: 'regenerate', id: '7' }],
  ['set-plan --id 7 --plan free', { action: 'set-plan', id: '7', plan: 'free' }],
  ['delete --id 7 --yes', { action: 'delete', id: '7', yes: true }],
  ['delete --email a@b.c --yes', { action: 'delete', email: 'a@b.c', yes: true }],
])('"%s" is parsed, and its command survives JSON', (line, command) => {
  expect(parse(line)).toEqual({ kind: 'command', command, isJson: false });
  expect(parse(`${line} --json`)).toEqual({ kind: 'command', command, isJson: true });
  expect(JSON.parse(JSON.stringify(parse(line)))).toEqual(parse(line));
});

test.each(['--help', '-h', 'create --help', 'nonsense --help'])('"%s" prints the usage', (line) => {
  expect(parse(line)).toEqual({ kind: 'help' });
});

test.each([
  ['', /Name a command/],
  ['drop', /no command "drop"/],
  ['constructor', /no command "constructor"/],
  ['create --plan free', /--email is required/],
  ['create --email a@b.c', /^--plan is required: free, unlimited or a plan of SHELFWISE_PLANS_FILE\.$/],
  ['create a@b.c --plan free', /"a@b\.c" is an unexpected argument/],
  ['create --email a@b.c --plan free --id 7', /create takes no --id/],
  ['list --plan free', /list takes no --plan/],
  ['list --page 0', /--page must be/],
  ['list --page x', /--page must be/],
  ['list --page 1e3', /--page must be/],
  ['list --page 0x10', /--page must be/],
  ['list --page +1', /--page must be/],
  ['list --per-page 1e2', /--per-page must be/],
  ['list --per-page 1001', /--per-page must be/],
  ['regenerate', /either --email or --id/],
  ['regenerate --email a@b.c --id 7', /either --email or --id/],
  ['set-plan --plan free', /either --email or --id/],
  ['delete --yes', /either --email or --id/],
  ['delete --id 7', /Add --yes/],
  ['list --yes', /list takes no --yes/],
  ['create --email a@b.c --plan free --count 0', /--count must be a whole number from 1 to 1000/],
  ['create --email a@b.c --plan free --count 1001', /--count must be/],
  ['create --email a@b.c --plan free --count 1e2', /--count must be/],
  ['delete --id 7 --count 2 --yes', /--count needs --email/],
  ['delete --email a@b.c --count 2', /Add --yes/],
  ['regenerate --email a@b.c --count 2', /regenerate takes no --count/],
  ['set-plan --id 7', /--plan is required/],
  ['create --color red', /^Unknown option '--color'\.$/],
])('"%s" is refused with an explanation', (line, message) => {
  expect(parse(line)).toEqual({ kind: 'usage-error', message: expect.stringMatching(message) });
});

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
