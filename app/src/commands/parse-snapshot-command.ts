import { dayMs, isDay, utcDay } from '@shelfwise/runtime/day';
import { parseOptions } from '@shelfwise/runtime/process/parse-options';

/** The help text of the snapshot command. */
export const snapshotUsage = `Usage: npm run snapshot -- [options]

Reads the ranks of all keywords that are due now, like the daily run, and shows the progress.

  --all               also read keywords that are planned for later today
  --day <YYYY-MM-DD>  fill in one UTC day: today, a past date, or "yesterday"; keywords that have a snapshot of that
                      day are skipped; sample store only, because a real store shows only its current results
  --json              print one JSON document on stdout at the end; everything else goes to stderr
  --help              print this help

The command calls the service on TRACKING_ADDRESS if set, else the Shelfwise that runs on SHELFWISE_DATA_DIR.
Ctrl-C ends the command; the service continues.
Exit code: 0 everything was read, 1 something failed or is left, 2 invalid options.`;

/** The request of StartSnapshotRun. `day` is YYYY-MM-DD; absent: the run reads the ranks of today. */
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

/** Parses the arguments after `npm run snapshot --`. The day of `now` in UTC is today. */
export function parseSnapshotCommand(argv: readonly string[], now: Date): ParsedSnapshotCommand {
  try {
    const { values } = parseOptions({ args: [...argv], options });
    if (values.help) return { kind: 'help' };
    const { all = false, json: isJson = false } = values;
    const day = values.day === 'yesterday' ? utcDay(new Date(now.getTime() - dayMs)) : values.day;
    return { kind: 'command', command: toCommand(all, day, utcDay(now)), isJson };
  } catch (error) {
    // parseOptions and toCommand throw only Errors with a message for the user.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

/** @throws Error with a message for the user */
function toCommand(all: boolean, day: string | undefined, today: string): SnapshotCommand {
  if (day === undefined) return { all_of_today: all };
  if (all) throw new Error('Use --all (today) or --day, not both.');
  if (!isDay(day)) throw new Error(`"${day}" is not a date. Use YYYY-MM-DD.`);
  if (day > today) throw new Error(`${day} is in the future: today is ${today} in UTC.`);
  return { all_of_today: false, day };
}
