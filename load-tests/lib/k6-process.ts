import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const version = 'v1.8.1';
const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'shelfwise-load-tests');
const program = join(folder, 'k6');
const script = fileURLToPath(new URL('../k6/main.ts', import.meta.url));

/** The end of a call, as k6 prints it. */
export type CallSample = { at: number; ms: number; status: number; route: string };

/** A call that was not answered with 200; `code` is that of the error. */
export type FailureSample = { at: number; code: string };

/** How k6 has ended: 0, 99 for a crossed threshold, or another code for a failure. */
export type K6Result = { code: number | null; errors: string };

/**
 * Builds k6 with Go where it is not there yet, which takes two minutes.
 * @throws Error when Go is missing
 */
export async function installK6(print: (line: string) => void): Promise<void> {
  if (existsSync(program)) return;
  print(`building k6 ${version} in ${folder}`);
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-modcacherw' };
  await promisify(execFile)('go', ['install', `go.k6.io/k6@${version}`], { env }).catch((error: Error) => {
    const problem = 'code' in error && error.code === 'ENOENT' ? 'Go is not installed' : error.message;
    throw new Error(`k6 could not be built: ${problem}. It needs Go 1.25 and network to its module proxy.`);
  });
}

/**
 * Starts k6.
 * @param options.onCall gets each call after its end
 */
export function startK6(options: {
  loadFile: string;
  summaryFile: string;
  onCall(call: CallSample): void;
  onFailure(failure: FailureSample): void;
}): { child: ChildProcess; ended: Promise<K6Result> } {
  const child = spawn(program, ['run', '--quiet', '--no-usage-report', '--out', 'csv=-', script], {
    env: {
      ...process.env,
      LOAD_FILE: options.loadFile,
      SUMMARY_FILE: options.summaryFile,
      K6_CSV_TIME_FORMAT: 'unix_milli',
      K6_CSV_SAVE_INTERVAL: '500ms',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C in a terminal would reach it twice, once from here: then it ends without a summary.
    detached: true,
  });
  const endWithParent = () => child.kill('SIGKILL');
  process.once('exit', endWithParent);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    // The first ones tell what went wrong.
    if (errors.length < 20_000) errors += chunk.toString();
  });
  let columns: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (line.startsWith('metric_name,')) columns = line.split(',');
    else if (line.startsWith('http_req_duration,')) options.onCall(toCall(cellsOf(line, columns)));
    else if (line.startsWith('failures,')) options.onFailure(toFailure(cellsOf(line, columns)));
  });
  const ended = new Promise<K6Result>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('exit', endWithParent);
      resolve({ code, errors });
    });
  });
  return { child, ended };
}

type Cells = Record<string, string>;

/** Neither routes nor codes have commas. */
function cellsOf(line: string, columns: readonly string[]): Cells {
  const cells = line.split(',');
  return Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']));
}

function toCall({ timestamp, metric_value: value, status, name = '' }: Cells): CallSample {
  return { at: Number(timestamp), ms: Number(value), status: Number(status), route: name };
}

/** Own tags are in one cell: `code=NOT_FOUND&other=…` */
function toFailure({ timestamp, extra_tags: tags = '' }: Cells): FailureSample {
  const code = tags.split('&').find((tag) => tag.startsWith('code='));
  return { at: Number(timestamp), code: code?.slice('code='.length) ?? '?' };
}
