import { parseArgs } from 'node:util';
import { AppError } from '@shelfwise/runtime/errors';
import { z } from 'zod';
import type { AccountRow, Accounts, AccountWithKey } from './accounts.ts';

/** How the account command is used; for people. */
export const accountUsage = `Usage: npm run account -- <command> [options]

  create      --email <email> --plan <plan>            make an account and show its key, this once
  list        [--page <page>] [--per-page <rows>]      newest first, 50 a page
  regenerate  --email <email> | --id <id>              a new key; the old one is refused from now on
  set-plan    --email <email> | --id <id> --plan <plan>  change the plan; the key stays

  --json      print the result as one JSON document
  --help      print this`;

const text = z.string().min(1).max(254);
const selector = { email: text.optional(), id: text.optional() };

const commandSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('create'), email: text, plan: text }),
  z.strictObject({
    action: z.literal('list'),
    page: z.int().min(1).max(1_000_000),
    per_page: z.int().min(1).max(1000),
  }),
  z.strictObject({ action: z.literal('regenerate'), ...selector }),
  z.strictObject({ action: z.literal('set-plan'), ...selector, plan: text }),
]);

/** What to do with which account; plain data, which travels as JSON. */
export type AccountCommand = z.output<typeof commandSchema>;

export type ParsedAccountCommand =
  | { kind: 'command'; command: AccountCommand; isJson: boolean }
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string };

type AccountList = { accounts: AccountRow[]; total: number; page: number; per_page: number };

/** What came of a command; plain data, and what --json prints. */
export type AccountResult = AccountWithKey | Omit<AccountWithKey, 'key'> | AccountList;

const options = {
  email: { type: 'string' },
  id: { type: 'string' },
  plan: { type: 'string' },
  page: { type: 'string' },
  'per-page': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Options that a command takes beside --json and --help. */
const optionsOf: Readonly<Record<AccountCommand['action'], readonly string[]>> = {
  create: ['email', 'plan'],
  list: ['page', 'per-page'],
  regenerate: ['email', 'id'],
  'set-plan': ['email', 'id', 'plan'],
};

/** Reads the words after `npm run account --`; asks nobody and changes nothing. */
export function parseAccountCommand(argv: readonly string[]): ParsedAccountCommand {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (values.help) return { kind: 'help' };
    const { json: isJson = false, help: _, ...given } = values;
    return { kind: 'command', command: toCommand(positionals, given), isJson };
  } catch (error) {
    // parseArgs and toCommand throw nothing but Errors, with a sentence for people.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

type GivenOptions = Partial<Record<'email' | 'id' | 'plan' | 'page' | 'per-page', string>>;

/** @throws Error with a sentence for the person at the keyboard */
function toCommand([action, ...surplus]: string[], given: GivenOptions): AccountCommand {
  if (action === undefined) throw new Error('Say what to do: create, list, regenerate or set-plan.');
  if (!isAction(action)) throw new Error(`There is no command "${action}".`);
  if (surplus.length > 0) throw new Error(`"${surplus[0]}" is one word too many.`);
  const unwanted = Object.keys(given).find((name) => !optionsOf[action].includes(name));
  if (unwanted) throw new Error(`${action} takes no --${unwanted}.`);

  const { page = '1', 'per-page': perPage = '50', ...rest } = given;
  const command =
    action === 'list' ? { action, page: Number(page), per_page: Number(perPage) } : { action, ...rest };
  const problem = problemOf(command);
  if (problem !== null) throw new Error(problem);
  return commandSchema.parse(command);
}

function isAction(word: string): word is AccountCommand['action'] {
  return Object.hasOwn(optionsOf, word);
}

/** What is wrong with a command, as a sentence; null when nothing is. */
function problemOf(command: unknown): string | null {
  const parsed = commandSchema.safeParse(command);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0] ?? 'command').replace('_', '-');
    return name === 'command' || name === 'action' ? 'This is no account command.' : problemOfOption(name);
  }
  const { data } = parsed;
  if (data.action !== 'regenerate' && data.action !== 'set-plan') return null;
  const isNamedOnce = (data.email === undefined) !== (data.id === undefined);
  return isNamedOnce ? null : 'Name the account by --email or by --id, one of them.';
}

function problemOfOption(name: string): string {
  if (name === 'page') return '--page must be a whole number from 1.';
  if (name === 'per-page') return '--per-page must be a whole number from 1 to 1000.';
  return `--${name} is needed, with a text of 1 to 254 characters.`;
}

/**
 * Carries out a command, which may have come over a socket.
 * @throws AppError INVALID_PARAMS, DUPLICATE or NOT_FOUND
 */
export async function executeAccountCommand(asked: unknown, accounts: Accounts): Promise<AccountResult> {
  const problem = problemOf(asked);
  if (problem !== null) throw new AppError('INVALID_PARAMS', problem);
  const command = commandSchema.parse(asked);
  switch (command.action) {
    case 'create':
      return accounts.create(command);
    case 'list': {
      const { page } = command;
      return {
        ...(await accounts.list({ page, perPage: command.per_page })),
        page,
        per_page: command.per_page,
      };
    }
    case 'regenerate':
      return accounts.regenerateKey(selectorOf(command));
    case 'set-plan':
      return accounts.changePlan({ ...selectorOf(command), plan: command.plan });
  }
}

function selectorOf({ email, id }: { email?: string | undefined; id?: string | undefined }) {
  return id === undefined ? { email: email ?? '' } : { id };
}

/** The result for people: what was done, and the key where there is a new one. */
export function formatAccountResult(command: AccountCommand, result: AccountResult): string {
  if ('accounts' in result) return formatList(result);
  const done = {
    create: 'Made the account',
    regenerate: 'Replaced the key of',
    'set-plan': 'Changed the plan of',
    list: '',
  }[command.action];
  return [
    `${done} ${result.email}`,
    `  id    ${result.id}`,
    `  plan  ${result.plan}`,
    ...('key' in result ? [`  key   ${result.key}`, 'Keep the key: it is shown this once.'] : []),
  ].join('\n');
}

function formatList({ accounts, total, page, per_page: perPage }: AccountList): string {
  const rows = accounts.map(({ id, email, plan, key_prefix: keyPrefix, created_at: createdAt }) =>
    [id, plan.padEnd(12), `${keyPrefix}…`, createdAt.slice(0, 10), email].join('  '),
  );
  const pages = Math.max(1, Math.ceil(total / perPage));
  return [...rows, `${total} accounts, page ${page} of ${pages}`].join('\n');
}
