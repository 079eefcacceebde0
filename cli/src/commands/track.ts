import { toPrintableLine } from '@shelfwise/runtime/log/printable';
import { endpoints } from '../api/endpoints.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CommandRun, defineCommand } from './define-command.ts';
import { readText, toLines } from './read-input.ts';
import { type LineResult, type TrackedApp, trackBatches } from './track-batches.ts';

/** Tracks the lines of a file as keywords of an app. */
export const track = defineCommand({
  name: 'track',
  summary: 'Track the keywords in a file, one per line',
  words: ['APP', '[FILE]'],
  endpoint: endpoints.trackKeywords,
  options: {},
  details:
    'Without FILE, or with -, the lines are read from stdin. Each line gets a result. More than 20 are tracked in a job, which goes on without the command. Keywords that are tracked already are no failure: after an interruption, run the same command again; it waits for the job and goes on.',
  example: 'track 1 keywords.txt',
  async run(run, _values, [appId = '', file = '-']) {
    const app = await findApp(run, appId);
    if (file === '-' && run.stdin.isTTY) run.note('Type keywords, one per line. Ctrl-D ends the list.');
    const lines = toLines(await readText(file, run));
    if (lines.length === 0) throw new CliError(exitCodes.usage, 'The input has no keywords.');
    const count = { tracked: 0, known: 0, failed: 0 };
    const done = () => count.tracked + count.known + count.failed;
    run.progress(`0 of ${lines.length} keywords`);
    try {
      for await (const results of trackBatches(run, app, lines)) {
        for (const result of results) count[outcomeOf(result)]++;
        await printResults(run, results);
        run.progress(`${done()} of ${lines.length} keywords, ${count.failed} failed`);
      }
    } catch (error) {
      run.note(`${done()} of ${lines.length} keywords are done. Run the same command again to go on.`);
      throw error;
    }
    run.note(`${count.tracked} tracked, ${count.known} tracked before, ${count.failed} failed.`);
    return count.failed === 0 ? exitCodes.ok : exitCodes.notAllGood;
  },
});

/** @throws ApiError when the account does not track it */
async function findApp({ api }: CommandRun, appId: string): Promise<TrackedApp> {
  const { data } = await api.call<TrackedApp[]>(endpoints.listApplications, { query: { app_id: appId } });
  const [app] = data;
  if (!app) throw new CliError(exitCodes.apiError, 'The API does not show this app.');
  return app;
}

function outcomeOf(result: LineResult): 'tracked' | 'known' | 'failed' {
  if ('known' in result) return 'known';
  return 'success' in result ? 'tracked' : 'failed';
}

async function printResults(run: CommandRun, results: readonly LineResult[]): Promise<void> {
  if (run.format === 'json') {
    for (const result of results) await run.printJson(JSON.stringify(result));
    return;
  }
  const toLine = (result: LineResult) =>
    `${outcomeOf(result).padEnd(7)}  ${toPrintableLine(describe(result))}`;
  await run.print(results.map(toLine).join('\n'));
}

/** The sentence of the API names the keyword already when it is tracked. */
function describe(result: LineResult): string {
  if ('success' in result) return result.success;
  return 'error' in result ? `${result.keyword}: ${result.error}` : result.keyword;
}
