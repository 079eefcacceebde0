import { parseArgs } from 'node:util';
import { dayMs, isDay, utcDay } from '@shelfwise/runtime/day';

/** How the snapshot command is used; for people. */
export const snapshotUsage = `Usage: npm run snapshot -- [options]

Reads what is due now, as the daily run does by itself, and shows how it gets on.

  --all               also what is planned for later today
  --day <YYYY-MM-DD>  the pages of that day in UTC, today or before (or: yesterday), for every market that has none
                      of it; on the sample store only, a real one cannot be asked for another day
  --json              one JSON document on stdout at the end, everything else on stderr
  --help              print this

The service on TRACKING_ADDRESS does it where that is set, else the Shelfwise that runs on SHELFWISE_DATA_DIR;
where none runs, the command starts what it needs on that folder and stops it at the end. Ctrl-C ends it.
Exit code: 0 everything was read, 1 something failed or is left, 2 the options cannot be used.`;

/** What to read; the fields are those of the RPC. */
export type SnapshotCommand = { all_of_today: boolean; day?: string };

export type ParsedSnapshotCommand =
  | { kind: 'command'; command: SnapshotCommand; isJson: boolean }
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string };

const options = {
  all: { type: 'boolean' },
  day: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the words after `npm run snapshot --`; asks nobody and changes nothing. */
export function parseSnapshotCommand(argv: readonly string[], now: Date): ParsedSnapshotCommand {
  try {
    const { values } = parseArgs({ args: [...argv], options });
    if (values.help) return { kind: 'help' };
    const { all = false, json: isJson = false } = values;
    const day = values.day === 'yesterday' ? utcDay(new Date(now.getTime() - dayMs)) : values.day;
    return { kind: 'command', command: toCommand(all, day, utcDay(now)), isJson };
  } catch (error) {
    // parseArgs and toCommand throw nothing but Errors, with a sentence for people.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

/** @throws Error with a sentence for the person at the keyboard */
function toCommand(all: boolean, day: string | undefined, today: string): SnapshotCommand {
  if (day === undefined) return { all_of_today: all };
  if (all) throw new Error('Say --all (all of today) or --day, not both.');
  if (!isDay(day)) throw new Error(`"${day}" is no day: write it as YYYY-MM-DD.`);
  if (day > today) throw new Error(`${day} is not here yet: in UTC it is ${today}.`);
  return { all_of_today: false, day };
}
