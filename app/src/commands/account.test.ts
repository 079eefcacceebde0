import { account } from './account.ts';
import { readArguments } from './lib/define-command.ts';

const parse = (line: string) => readArguments(account, line.split(' ').filter(Boolean));

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
  ['sign-in --email a@b.c', { action: 'sign-in', email: 'a@b.c' }],
  ['set-plan --id 7 --plan free', { action: 'set-plan', id: '7', plan: 'free' }],
  ['delete --id 7 --yes', { action: 'delete', id: '7', yes: true }],
  ['delete --email a@b.c --yes', { action: 'delete', email: 'a@b.c', yes: true }],
])('"%s" is parsed, and its command survives JSON', (line, command) => {
  expect(parse(line)).toEqual({ kind: 'command', asked: command, isJson: false });
  expect(parse(`${line} --json`)).toEqual({ kind: 'command', asked: command, isJson: true });
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
  ['sign-in', /either --email or --id/],
  ['sign-in --email a@b.c --plan free', /sign-in takes no --plan/],
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
