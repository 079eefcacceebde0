import { parseOptions } from '@shelfwise/runtime/process/parse-options';
import { inputLimits } from '../calibration/parse-known-terms.ts';
import { type ScoreName, scoreNames } from '../calibration/term-reading.ts';

/** The help text of the calibrate command. */
export const calibrateUsage = `Usage: npm run calibrate -- --terms <FILE.csv> [options]

Compares a score with values that you know from elsewhere, such as the popularity that Apple shows to advertisers. Reads
the scores of the terms through the running Shelfwise, within the store budgets, and writes report.md, report.json and
scatter.svg.

  --terms <file>    CSV in UTF-8 with a header line, at most ${inputLimits.terms.toLocaleString('en-US')} terms and ${inputLimits.bytes / 1024 / 1024} MiB; columns:
                      term         the search term
                      country      two letters, for example US
                      known_value  a number, on any scale; higher means more of what the score measures
                      store        optional: ITUNES (App Store, default) or GPLAY (Google Play)
                      lang         optional; default: en-US
                    other columns are ignored
  --score <score>   traffic (default), difficulty or kei: what the known values are compared with
  --out <folder>    default: the folder "calibration" next to the file
  --fresh           forget the terms that were read before
  --json            print the report as one JSON document on stdout; everything else goes to stderr
  --help            print this help

Terms that were read are kept in terms.jsonl of the folder: after Ctrl-C or a failure, the same command goes on there.
The command calls the service on SCORING_ADDRESS if set, else the Shelfwise that runs on SHELFWISE_DATA_DIR.
Exit code: 0 the report is written and every term has a score, 1 a term has none or the command was stopped or failed,
2 invalid options or an invalid file.

Example, with terms.csv:
  term,country,known_value
  habit tracker,US,61
  "mood, journal",US,34

  npm run calibrate -- --terms terms.csv --score traffic`;

export type CalibrateCommand = {
  /** path of the CSV file */
  terms: string;
  score: ScoreName;
  /** Null: next to the file. */
  out: string | null;
  isFresh: boolean;
};

export type ParsedCalibrateCommand =
  | { kind: 'command'; command: CalibrateCommand; isJson: boolean }
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string };

const options = {
  terms: { type: 'string' },
  score: { type: 'string', default: 'traffic' },
  out: { type: 'string' },
  fresh: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the arguments after `npm run calibrate --`. */
export function parseCalibrateCommand(argv: readonly string[]): ParsedCalibrateCommand {
  try {
    const { values } = parseOptions({ args: [...argv], options });
    if (values.help) return { kind: 'help' };
    const { terms, out, fresh: isFresh, json: isJson } = values;
    if (!terms) throw new Error('--terms is missing: name a CSV file.');
    if (out === '') throw new Error('--out is empty: name a folder.');
    return {
      kind: 'command',
      command: { terms, score: toScore(values.score), out: out ?? null, isFresh },
      isJson,
    };
  } catch (error) {
    // parseOptions and the checks throw only Errors with a message for the user.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

/** @throws Error with a message for the user */
function toScore(name: string): ScoreName {
  const score = scoreNames.find((each) => each === name.toLowerCase());
  if (score === undefined) throw new Error(`"${name}" is not a score. Use ${scoreNames.join(', ')}.`);
  return score;
}
