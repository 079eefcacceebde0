import { AppError } from '@shelfwise/runtime/errors';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { z } from 'zod';
import type { SignInLink, SignInLinks } from '../dashboard/sign-in-links.ts';
import type { AccountRow, Accounts, AccountWithKey, DeletedAccount } from './accounts.ts';
import { createNumbered, deleteNumbered, mostNumberedAccounts } from './numbered-accounts.ts';

export const accountUsage = `Usage: npm run account -- <command> [options]

  create      --email <email> --plan <plan>            create an account and show its key once
  list        [--page <page>] [--per-page <rows>]      newest first, 50 a page
  regenerate  --email <email> | --id <id>              replace the key; the old one is refused from now on
  set-plan    --email <email> | --id <id> --plan <plan>  change the plan; the key stays
  sign-in     --email <email> | --id <id>              make a link that signs in to the dashboard once
  delete      --email <email> | --id <id> --yes        delete the account and its rows; cannot be undone

  --count <number>  with create and delete --email: that many accounts, a@b.c as a+1@b.c, a+2@b.c, ...
  --json      print the result as one JSON document
  --help      print this`;

/** 254 is the longest valid email address; ids and plan names are shorter. */
const shortText = z.string().min(1).max(254);
const count = z.int().min(1).max(mostNumberedAccounts).optional();
/** Exactly one of them is required; `findProblem` checks that. */
const selector = { email: shortText.optional(), id: shortText.optional() };

const commandSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('create'), email: shortText, plan: shortText, count }),
  z.strictObject({
    action: z.literal('list'),
    page: z.int().min(1).max(1_000_000),
    per_page: z.int().min(1).max(1000),
  }),
  z.strictObject({ action: z.literal('regenerate'), ...selector }),
  z.strictObject({ action: z.literal('sign-in'), ...selector }),
  z.strictObject({ action: z.literal('delete'), ...selector, count, yes: z.literal(true) }),
  z.strictObject({ action: z.literal('set-plan'), ...selector, plan: shortText }),
]);

/** A validated command. Plain data, because it may be sent as JSON to a Shelfwise that is already running. */
export type AccountCommand = z.output<typeof commandSchema>;

type CreatedAccounts = { created_accounts: AccountWithKey[] };
type DeletedAccounts = { deleted_accounts: DeletedAccount[] };
type AccountList = { accounts: AccountRow[]; total: number; page: number; per_page: number };

/** The result of a command. Plain data: it may be a JSON reply of a running Shelfwise, and --json prints it. */
export type AccountResult =
  | AccountWithKey
  | Omit<AccountWithKey, 'key'>
  | DeletedAccount
  | SignInLink
  | CreatedAccounts
  | DeletedAccounts
  | AccountList;

export const accountOptions = {
  email: { type: 'string' },
  id: { type: 'string' },
  plan: { type: 'string' },
  count: { type: 'string' },
  page: { type: 'string' },
  'per-page': { type: 'string' },
  yes: { type: 'boolean' },
} as const;

/** The options of each command besides --json and --help. */
const allowedOptions: Readonly<Record<AccountCommand['action'], readonly string[]>> = {
  create: ['email', 'plan', 'count'],
  list: ['page', 'per-page'],
  regenerate: ['email', 'id'],
  'sign-in': ['email', 'id'],
  'set-plan': ['email', 'id', 'plan'],
  delete: ['email', 'id', 'count', 'yes'],
};

type RawOptions = Partial<Record<'email' | 'id' | 'plan' | 'count' | 'page' | 'per-page', string>> & {
  yes?: boolean | undefined;
};

/**
 * The command of the words after `npm run account --` and its options.
 * @throws Error with a sentence for the user
 */
export function toAccountCommand([action, ...extraWords]: string[], rawOptions: RawOptions): AccountCommand {
  if (action === undefined)
    throw new Error('Name a command: create, list, regenerate, set-plan, sign-in or delete.');
  if (!isAction(action)) throw new Error(`There is no command "${action}".`);
  if (extraWords.length > 0) throw new Error(`"${extraWords[0]}" is an unexpected argument.`);
  const unknownOption = Object.keys(rawOptions).find((name) => !allowedOptions[action].includes(name));
  if (unknownOption) throw new Error(`${action} takes no --${unknownOption}.`);

  const { page = '1', 'per-page': perPage = '50', count, ...rest } = rawOptions;
  const counted = count === undefined ? rest : { ...rest, count: parseDigits(count) };
  const command =
    action === 'list'
      ? { action, page: parseDigits(page), per_page: parseDigits(perPage) }
      : { action, ...counted };
  const problem = findProblem(command);
  if (problem !== null) throw new Error(problem);
  return commandSchema.parse(command);
}

/** NaN for a text with other characters than digits: `Number` would accept "1e3" and "0x10". */
function parseDigits(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function isAction(word: string): word is AccountCommand['action'] {
  return Object.hasOwn(allowedOptions, word);
}

/** The first problem of a possible command, as a sentence; null when the command is valid. */
function findProblem(command: unknown): string | null {
  const parsed = commandSchema.safeParse(command);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0] ?? 'command').replace('_', '-');
    return name === 'command' || name === 'action'
      ? 'This is not an account command.'
      : explainInvalidOption(name);
  }
  const { data } = parsed;
  if (data.action === 'create' || data.action === 'list') return null;
  if (data.action === 'delete' && data.count !== undefined && data.email === undefined)
    return '--count needs --email, the one that the accounts were created with.';
  const hasOneSelector = (data.email === undefined) !== (data.id === undefined);
  return hasOneSelector ? null : 'Select the account with either --email or --id.';
}

function explainInvalidOption(name: string): string {
  if (name === 'page') return '--page must be a whole number from 1.';
  if (name === 'per-page') return '--per-page must be a whole number from 1 to 1000.';
  if (name === 'count') return `--count must be a whole number from 1 to ${mostNumberedAccounts}.`;
  if (name === 'plan') return '--plan is required: free, unlimited or a plan of SHELFWISE_PLANS_FILE.';
  if (name === 'yes')
    return 'Add --yes: the account, its key, what it tracks and its histories are deleted for good.';
  return `--${name} is required and must have 1 to 254 characters.`;
}

/**
 * Executes a command. `input` is validated again, because it may come from another process.
 * @param signInLinks null without a dashboard
 * @throws AppError INVALID_PARAMS, DUPLICATE or NOT_FOUND
 */
export async function executeAccountCommand(
  input: unknown,
  accounts: Accounts,
  signInLinks: Pick<SignInLinks, 'create'> | null = null,
): Promise<AccountResult> {
  const problem = findProblem(input);
  if (problem !== null) throw new AppError('INVALID_PARAMS', problem);
  const command = commandSchema.parse(input);
  switch (command.action) {
    case 'create': {
      const { email, plan, count } = command;
      if (count === undefined) return accounts.create({ email, plan });
      return { created_accounts: await createNumbered({ email, count, plan }, accounts) };
    }
    case 'list': {
      const { page, per_page: perPage } = command;
      const { accounts: rows, total } = await accounts.list({ page, perPage });
      return { accounts: rows, total, page, per_page: perPage };
    }
    case 'regenerate':
      return accounts.regenerateKey(toSelector(command));
    case 'sign-in':
      if (!signInLinks) throw new AppError('INVALID_PARAMS', 'The dashboard is off: DASHBOARD is false.');
      return signInLinks.create(toSelector(command));
    case 'delete': {
      const { email = '', count } = command;
      if (count === undefined) return accounts.delete(toSelector(command));
      return { deleted_accounts: await deleteNumbered({ email, count }, accounts) };
    }
    case 'set-plan':
      return accounts.changePlan({ ...toSelector(command), plan: command.plan });
  }
}

/** `findProblem` has checked that exactly one of the two is set. */
function toSelector({ email, id }: { email?: string | undefined; id?: string | undefined }) {
  return id === undefined ? { email: email ?? '' } : { id };
}

/** The result as text for a terminal: what was done, and the new key if there is one. */
export function formatAccountResult(command: AccountCommand, result: AccountResult): string {
  if ('accounts' in result) return formatList(result);
  if ('created_accounts' in result)
    return [
      ...result.created_accounts.map(({ email, key }) => `${email}  ${key}`),
      'Save the keys: they are shown only once.',
    ].join('\n');
  if ('deleted_accounts' in result) {
    const { length } = result.deleted_accounts;
    return `Deleted ${length} ${nounFor(length, 'account')}. A running Shelfwise deletes their rows now.`;
  }
  if ('link' in result)
    return `${result.link}\nSigns in as ${result.email}, once, until ${result.expires_at}.`;
  const headline = {
    create: 'Created the account',
    regenerate: 'Replaced the key of',
    'set-plan': 'Changed the plan of',
    delete: 'Deleted the account',
    'sign-in': '',
    list: '',
  }[command.action];
  if ('deleted' in result)
    return [
      `${headline} ${result.email}`,
      `  id    ${result.id}`,
      'Its key is refused from now on. A running Shelfwise deletes its rows now and checks again after 10 minutes.',
      'What all accounts share, such as snapshots and listings, is kept.',
    ].join('\n');
  return [
    `${headline} ${result.email}`,
    `  id    ${result.id}`,
    `  plan  ${result.plan}`,
    ...('key' in result ? [`  key   ${result.key}`, 'Save the key: it is shown only once.'] : []),
  ].join('\n');
}

function formatList({ accounts, total, page, per_page: perPage }: AccountList): string {
  const rows = accounts.map((account) =>
    [
      account.id,
      account.plan.padEnd(12),
      `${account.key_prefix}…`,
      account.created_at.slice(0, 10),
      account.email,
    ].join('  '),
  );
  const pages = Math.max(1, Math.ceil(total / perPage));
  const accountCount = `${total} ${nounFor(total, 'account')}`;
  if (page > pages) return `${accountCount}: there is no page ${page}, the last one is page ${pages}`;
  return [...rows, `${accountCount}, page ${page} of ${pages}`].join('\n');
}
