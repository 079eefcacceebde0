import { basename, dirname, join, resolve } from 'node:path';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { toPrintableLine } from '@shelfwise/runtime/log/printable';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createProgressLine } from '@shelfwise/runtime/process/progress-line';
import { createCalibrateProgress } from '../calibration/calibrate-progress.ts';
import { buildReport, type CalibrationReport } from '../calibration/calibration-report.ts';
import { drawScatter } from '../calibration/draw-scatter.ts';
import { openFinishedTerms } from '../calibration/finished-terms.ts';
import { formatReport, formatSummary } from '../calibration/format-report.ts';
import { inputLimits, termKey } from '../calibration/parse-known-terms.ts';
import { readKnownTerms } from '../calibration/read-known-terms.ts';
import { batchTimeoutMs, type ReadingProgress, readTerms } from '../calibration/read-terms.ts';
import { missingScoreReason, type ScoreName, scoreNames, scoreTitle } from '../calibration/term-reading.ts';
import { replaceFile } from '../calibration/write-files.ts';
import { type ScoresSettings, scoresConfig } from '../config.ts';
import { connectService } from './lib/connect-service.ts';
import { defineCommand } from './lib/define-command.ts';
import type { FindServiceDeps } from './lib/find-service.ts';
import { pause } from './lib/pause.ts';
import { startIfMain } from './lib/start-if-main.ts';

/** Compares scores with known values of terms. */
export const calibrate = defineCommand({
  usage: `Usage: npm run calibrate -- --terms <FILE.csv> [options]

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

  npm run calibrate -- --terms terms.csv --score traffic`,
  options: {
    terms: { type: 'string' },
    score: { type: 'string', default: 'traffic' },
    out: { type: 'string' },
    fresh: { type: 'boolean', default: false },
  },
  read({ terms, score, out, fresh: isFresh }) {
    if (!terms) throw new Error('--terms is missing: name a CSV file.');
    if (out === '') throw new Error('--out is empty: name a folder.');
    const file = resolve(terms);
    const folder = resolve(out ?? join(dirname(file), 'calibration'));
    return { file, folder, score: toScore(score), isFresh };
  },
  async run(asked, { env, isJson, stderr, watchSignals, print }) {
    const line = createProgressLine(stderr);
    const formatProgress = createCalibrateProgress();
    const { report, failed, left } = await calibrateTerms(asked, {
      settings: readConfig(scoresConfig, env),
      print: (text) => print(toPrintableLine(text)),
      onProgress: (progress) => line.show(formatProgress(progress, performance.now()), performance.now()),
      interrupted: watchSignals(),
    }).finally(line.end);
    if (report === null) {
      print(
        `Stopped with ${left} ${nounFor(left, 'term')} left. What was read is in ${asked.folder}; run the command again to go on.`,
      );
      return { exitCode: 1 };
    }
    if (failed > 0)
      print(`${failed} ${nounFor(failed, 'term')} without a score. Run the command again to try again.`);
    if (isJson) print(whereSaved(asked.folder));
    return { result: report, exitCode: failed > 0 ? 1 : 0 };
  },
  format: (report, { folder }) => `${formatSummary(report)}\n${whereSaved(folder)}`,
});

/** @throws Error with a message for the user */
function toScore(name: string): ScoreName {
  const score = scoreNames.find((each) => each === name.toLowerCase());
  if (score === undefined) throw new Error(`"${name}" is not a score. Use ${scoreNames.join(', ')}.`);
  return score;
}

function whereSaved(folder: string): string {
  return `The report is in ${folder}: report.md, report.json, scatter.svg.`;
}

type CalibrateDeps = FindServiceDeps & {
  settings: ScoresSettings;
  onProgress(progress: ReadingProgress): void;
  /** Fires with Ctrl-C. */
  interrupted: AbortSignal;
};

type Request = { file: string; folder: string; score: ScoreName; isFresh: boolean };

/** `failed` terms have no score; what was read is kept in the folder. The report is null after Ctrl-C. */
type Calibrated = {
  report: CalibrationReport | null;
  failed: number;
  /** terms that are not read yet */
  left: number;
};

/**
 * Reads the scores of the terms through the running scoring service, except those that were read before, and writes the
 * report. Terms that could not be read are read by the next command.
 * @throws InvalidTermsError, StartError, AppError
 */
async function calibrateTerms(
  { file, folder, score, isFresh }: Request,
  deps: CalibrateDeps,
): Promise<Calibrated> {
  const { terms, ignoredColumns, sha256 } = readKnownTerms(file);
  if (ignoredColumns.length > 0) deps.print(`ignored columns: ${ignoredColumns.join(', ')}`);
  const finished = openFinishedTerms(join(folder, 'terms.jsonl'), {
    inputHash: sha256,
    isFresh,
  });
  const findUnread = () =>
    terms.filter((known) => {
      const reading = finished.readings.get(termKey(known));
      return reading === undefined || missingScoreReason(reading, score) !== null;
    });
  const unread = findUnread();
  const before = terms.length - unread.length;
  if (before > 0) deps.print(`${before} of ${terms.length} terms were read before`);

  const failures = unread.length > 0 ? await readUnread() : new Map<string, string>();
  if (deps.interrupted.aborted) return { report: null, failed: failures.size, left: findUnread().length };
  const { readings } = finished;
  const report = buildReport({ score, input: { file: basename(file), sha256 }, terms, readings, failures });
  writeReport(folder, report);
  return { report, failed: failures.size, left: 0 };

  async function readUnread() {
    const setting = 'SCORING_ADDRESS';
    const { client, close } = await connectService(
      {
        service: ScoringServiceService,
        name: 'scoring',
        setting,
        address: deps.settings[setting],
        longestCallMs: batchTimeoutMs,
      },
      deps,
    );
    try {
      return await readTerms(unread, score, {
        scoring: client,
        signal: deps.interrupted,
        pause,
        nowMs: () => performance.now(),
        onFinished: finished.add,
        onProgress: ({ done, total, ...progress }) =>
          deps.onProgress({ ...progress, done: done + before, total: total + before }),
      });
    } finally {
      close();
    }
  }
}

function writeReport(folder: string, report: CalibrationReport): void {
  const { score, input } = report;
  const plotted = report.terms.flatMap(({ term, known_value: known, score: value }) =>
    value === null ? [] : [{ term, known, score: value }],
  );
  replaceFile(
    join(folder, 'scatter.svg'),
    drawScatter(plotted, {
      title: `${scoreTitle(score)} and known value of ${plotted.length} terms`,
      scoreTitle: scoreTitle(score),
      description: `A scatter plot of the terms of ${input.file}. ${formatSummary(report)}`,
    }),
  );
  replaceFile(join(folder, 'report.md'), formatReport(report));
  replaceFile(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
}

startIfMain(import.meta.filename, calibrate);
