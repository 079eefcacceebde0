import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SizeStep } from './measure-daily-run.ts';

/** Seeds keywords and reads them on some days, each in a separate process, on a data folder that is deleted at the end. */
export async function runDays(options: {
  keywords: number;
  days: number;
  /** Whether the last step of each day says what the data takes. It reads all of it. */
  withDisk?: boolean;
  onStep(step: SizeStep): void;
}): Promise<void> {
  const { keywords, days, withDisk = false, onStep } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-size-'));
  try {
    await end(startChild('seed', dataDir, String(keywords)));
    const child = startChild('run', dataDir, String(keywords), String(days), withDisk ? 'disk' : '');
    for await (const line of createInterface({ input: child.stdout ?? process.stdin }))
      onStep(JSON.parse(line) as SizeStep);
    await end(child);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function startChild(...words: string[]): ChildProcess {
  const node = ['--expose-gc', '--import', 'tsx', '--conditions=shelfwise-source'];
  const args = [...node, 'experiments/lib/measure-daily-run.ts', ...words];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  child.once('exit', () => process.off('exit', killWithParent));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const code = child.exitCode ?? ((await once(child, 'exit')) as [number | null])[0];
  if (code !== 0) throw new Error(`the measured process exited with ${code}`);
}
