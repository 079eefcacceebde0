import { type EventsCommand, parsePlace } from '@shelfwise/runtime/events/event-admin';
import { parseOptions } from '@shelfwise/runtime/process/parse-options';

export const eventsUsage = `Usage: npm run events -- dead-letters list [--group GROUP] [--limit N] [--after PLACE] [--json]
       npm run events -- dead-letters replay [--group GROUP] (--id ID... | --all) [--json]
       npm run events -- dead-letters discard [--group GROUP] --id ID... [--json]
       npm run events -- lag [--json]

A dead letter is an event that a service could not apply on any attempt. It is kept until it is replayed (delivered
again to that service only) or discarded (never applied). The lag is how many events a service has not handled yet.

  --group GROUP   tracking or scoring; default: all
  --limit N       list at most N, the oldest first, 1 to 1000; default: 50
  --after PLACE   list what follows; each page ends with the place of the next one
  --id ID         replay or discard this event; repeatable
  --all           replay all of them
  --json          print one JSON document
  --help          print this help

With KAFKA_BROKERS the command asks the brokers; otherwise the Shelfwise that runs on SHELFWISE_DATA_DIR, or the data
folder itself when none runs. An npm start on sample data has topics of its own on Kafka: ask it without KAFKA_BROKERS.`;

export type ParsedEventsCommand =
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string }
  | { kind: 'command'; command: EventsCommand; isJson: boolean };

const options = {
  group: { type: 'string' },
  limit: { type: 'string' },
  after: { type: 'string' },
  id: { type: 'string', multiple: true },
  all: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Of each command, in addition to --json. */
const optionsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['lag', []],
  ['dead-letters list', ['group', 'limit', 'after']],
  ['dead-letters replay', ['group', 'id', 'all']],
  ['dead-letters discard', ['group', 'id']],
]);
const defaultLimit = 50;
const longestList = 1000;

/** Parses the words after `npm run events --`. */
export function parseEventsCommand(args: string[]): ParsedEventsCommand {
  try {
    const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
    if (values.help) return { kind: 'help' };
    const command = toCommand(positionals.join(' '), values);
    if (typeof command === 'string') return { kind: 'usage-error', message: command };
    return { kind: 'command', command, isJson: values.json ?? false };
  } catch (error) {
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

type Values = {
  group?: string | undefined;
  limit?: string | undefined;
  after?: string | undefined;
  id?: string[] | undefined;
  all?: boolean | undefined;
};

/** The command, or what is wrong with it. */
function toCommand(words: string, values: Values): EventsCommand | string {
  const possible = optionsOf.get(words);
  if (!possible) return 'Use "dead-letters list", "dead-letters replay", "dead-letters discard" or "lag".';
  const impossible = Object.keys(values).find((name) => name !== 'json' && !possible.includes(name));
  if (impossible) return `"${words}" has no option --${impossible}.`;
  const { group = null, limit, after = null, id, all } = values;
  if (words === 'lag') return { name: 'lag' };
  if (words === 'dead-letters list') {
    const count = Number(limit ?? defaultLimit);
    if (!Number.isInteger(count) || count < 1 || count > longestList)
      return `--limit must be a whole number from 1 to ${longestList}.`;
    if (after !== null && parsePlace(after) === null)
      return '--after must be the place that a page of the list ends with.';
    return { name: 'list', group, limit: count, after };
  }
  if (words === 'dead-letters discard')
    return id === undefined
      ? 'Use --id: a discarded event is lost, so that each is named.'
      : { name: 'discard', group, ids: id };
  if ((id === undefined) === (all !== true)) return 'Use either --id or --all.';
  return { name: 'replay', group, ids: id ?? null };
}
