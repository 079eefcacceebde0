import { basename, dirname, join, resolve } from 'node:path';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { buildReport, type CalibrationReport } from '../calibration/calibration-report.ts';
import { drawScatter } from '../calibration/draw-scatter.ts';
import { openFinishedTerms } from '../calibration/finished-terms.ts';
import { formatReport, formatSummary } from '../calibration/format-report.ts';
import { termKey } from '../calibration/parse-known-terms.ts';
import { batchTimeoutMs, type ReadingProgress, readTerms } from '../calibration/read-terms.ts';
import { missingScoreReason, scoreTitle } from '../calibration/term-reading.ts';
import { replaceFile } from '../calibration/write-files.ts';
import type { ScoresSettings } from '../config.ts';
import { connectService } from './connect-service.ts';
import type { FindServiceDeps } from './find-service.ts';
import type { CalibrateCommand } from './parse-calibrate-command.ts';
import { pause } from './pause.ts';
import { readKnownTerms } from './read-known-terms.ts';

type CalibrateDeps = FindServiceDeps & {
  settings: ScoresSettings;
  onProgress(progress: ReadingProgress): void;
  /** Fires with Ctrl-C. */
  interrupted: AbortSignal;
};

/** `failed` terms have no score; what was read is kept in `folder`. The report is null after Ctrl-C. */
export type CalibrateResult = {
  folder: string;
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
export async function runCalibrateCommand(
  command: CalibrateCommand,
  deps: CalibrateDeps,
): Promise<CalibrateResult> {
  const file = resolve(command.terms);
  const folder = resolve(command.out ?? join(dirname(file), 'calibration'));
  const { score } = command;
  const { terms, ignoredColumns, sha256 } = readKnownTerms(file);
  if (ignoredColumns.length > 0) deps.print(`ignored columns: ${ignoredColumns.join(', ')}`);
  const finished = openFinishedTerms(join(folder, 'terms.jsonl'), {
    inputHash: sha256,
    isFresh: command.isFresh,
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
  if (deps.interrupted.aborted)
    return { folder, report: null, failed: failures.size, left: findUnread().length };
  const { readings } = finished;
  const report = buildReport({ score, input: { file: basename(file), sha256 }, terms, readings, failures });
  writeReport(folder, report);
  return { folder, report, failed: failures.size, left: 0 };

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
