import { parseOptions } from '@shelfwise/runtime/process/parse-options';
import { type ProfileName, profileNames, profileTexts } from '../k6/profiles.ts';

export const loadTestUsage = `Usage: npm run load-test -- <profile> [options]

${profileNames.map((name) => `  ${name.padEnd(12)}${profileTexts[name]}`).join('\n')}

Starts a system on the sample, and deletes it at the end:
  --system start         npm start (default)
  --system distributed   npm run start:distributed, with Redis, Kafka and the embedded database, or MONGODB_URI, where databases stay whose
                         names begin with load-
  --copies PART=N,...    of the distributed system, as for npm run start:distributed (default: one of each part)
or uses a running one:
  --url URL              of its gateway; repeated for several, which take turns
  --accounts FILE        what "npm run account -- create --email load@example.com --plan unlimited --count 300 --json" printed;
                         "... delete --email load@example.com --count 300 --yes" deletes them
  --metrics NAME=URL     a page of metrics of one of its processes, for CPU and memory; repeated
  --pid NAME=PID         a process of this machine, for the same, such as an engine; repeated

  --capacity N           calls a second that the system can carry, to which the rates relate (default 40; 300 for breakpoint)
  --minutes N            the length of average and soak
  --name NAME            of the results, besides the profile (default: the system)
  --folder FOLDER        where to write them (default load-tests/results)
  --help                 print this

k6 is built with Go when it is not there.`;

/** A process of a running system: a page of metrics, or a process of this machine. */
export type WatchedProcess = { name: string; url: string } | { name: string; pid: number };

export type LoadCommand = {
  profile: ProfileName;
  target:
    | { kind: 'all-in-one' }
    | { kind: 'distributed'; copies: string | null }
    | { kind: 'running'; urls: string[]; accountsFile: string; processes: WatchedProcess[] };
  capacity: number;
  minutes: number | null;
  name: string | null;
  folder: string;
};

export type ParsedLoadCommand =
  | { kind: 'command'; command: LoadCommand }
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string };

const options = {
  system: { type: 'string' },
  copies: { type: 'string' },
  url: { type: 'string', multiple: true },
  accounts: { type: 'string' },
  metrics: { type: 'string', multiple: true },
  pid: { type: 'string', multiple: true },
  capacity: { type: 'string' },
  minutes: { type: 'string' },
  name: { type: 'string' },
  folder: { type: 'string', default: 'load-tests/results' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the words after `npm run load-test --`. */
export function parseLoadCommand(argv: readonly string[]): ParsedLoadCommand {
  try {
    const { values, positionals } = parseOptions({ args: [...argv], options, allowPositionals: true });
    if (values.help) return { kind: 'help' };
    const [word = '', ...more] = positionals;
    const profile = profileNames.find((name) => name === word);
    if (profile === undefined) throw new Error(`Name a profile: ${profileNames.join(', ')}.`);
    if (more.length > 0) throw new Error(`"${more[0]}" is an unexpected argument.`);
    const capacity = values.capacity ?? (profile === 'breakpoint' ? '300' : '40');
    if (values.name !== undefined && !/^[\w-]{1,60}$/.test(values.name))
      throw new Error('--name is 1 to 60 letters, digits, - and _.');
    const command: LoadCommand = {
      profile,
      target: toTarget(values),
      capacity: toNumber('capacity', capacity, 5000),
      minutes: values.minutes === undefined ? null : toNumber('minutes', values.minutes, 24 * 60),
      name: values.name ?? null,
      folder: values.folder,
    };
    return { kind: 'command', command };
  } catch (error) {
    // parseOptions and this file throw only Errors with a message for the user.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

/** @throws Error with a message for the user */
function toTarget(values: {
  system?: string | undefined;
  copies?: string | undefined;
  url?: string[] | undefined;
  accounts?: string | undefined;
  metrics?: string[] | undefined;
  pid?: string[] | undefined;
}): LoadCommand['target'] {
  const { system, url: urls, accounts: accountsFile, metrics = [], pid: pids = [] } = values;
  if (urls !== undefined) {
    if (system !== undefined || values.copies !== undefined)
      throw new Error('--url aims at a running system: leave --system and --copies out.');
    if (accountsFile === undefined) throw new Error('--url needs --accounts.');
    return {
      kind: 'running',
      urls: urls.map((url) => toUrl(url).replace(/\/$/, '')),
      accountsFile,
      processes: [...metrics.map(toPage), ...pids.map(toLocalProcess)],
    };
  }
  if (accountsFile !== undefined || metrics.length > 0 || pids.length > 0)
    throw new Error('--accounts, --metrics and --pid need --url.');
  if (values.copies !== undefined && system !== 'distributed')
    throw new Error('--copies needs --system distributed.');
  if (system === undefined || system === 'start') return { kind: 'all-in-one' };
  if (system === 'distributed') return { kind: 'distributed', copies: values.copies ?? null };
  throw new Error('--system is start or distributed.');
}

/** @param entry NAME=URL */
function toPage(entry: string): { name: string; url: string } {
  const [, name, url] = entry.match(/^([^=]+)=(.+)$/) ?? [];
  if (name === undefined || url === undefined) throw new Error(`--metrics ${entry} is not NAME=URL.`);
  return { name, url: toUrl(url) };
}

/** @param entry NAME=PID */
function toLocalProcess(entry: string): { name: string; pid: number } {
  const [, name, pid] = entry.match(/^([^=]+)=(\d+)$/) ?? [];
  if (name === undefined) throw new Error(`--pid ${entry} is not NAME=PID.`);
  return { name, pid: Number(pid) };
}

function toUrl(text: string): string {
  if (!URL.canParse(text)) throw new Error(`"${text}" is no URL.`);
  return text;
}

/** @throws Error with a message for the user */
function toNumber(name: string, text: string, most: number): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && value <= most)) throw new Error(`--${name} must be a number over 0, up to ${most}.`);
  return value;
}
