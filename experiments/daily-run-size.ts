/**
 * How long one day's run takes and how much memory, from a thousand markets to a hundred thousand, on the sample store
 * and the embedded database in one process; and what becomes of the time per market as there are more of them.
 *
 *   npm run daily-run:size [-- --sizes 1000,10000,100000]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { formatTable } from '@shelfwise/app/commands/format-table';
import { createExpectations } from './lib/expectations.ts';
import type { SizeStep } from './lib/measure-daily-run.ts';

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '1000,10000,100000' }, help: { type: 'boolean' } },
});
const sizes = values.sizes.split(',').map(Number);
if (values.help || sizes.some((size) => !(size >= 10 && size <= 100_000))) {
  console.log('usage: npm run daily-run:size [-- --sizes 1000,10000,100000]   (10 to 100,000 each)');
  process.exit(values.help ? 0 : 2);
}
/** A market among a hundred times as many may cost this much more. */
const mostRatio = 2;
/** Beyond this the memory would not be flat. */
const mostGrowthMiB = 60;

const { expectThat, conclude } = createExpectations();
const results: { size: number; steps: SizeStep[] }[] = [];
for (const size of sizes) results.push({ size, steps: await measure(size) });
report();
process.exitCode = conclude();

/** Seeds and runs one size in processes of their own. */
async function measure(size: number): Promise<SizeStep[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-size-'));
  try {
    await end(startChild('seed', dataDir, size));
    const child = startChild('run', dataDir, size);
    const steps: SizeStep[] = [];
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const step = JSON.parse(line) as SizeStep;
      steps.push(step);
      console.log(`  ${size} markets: ${step.done} read after ${(step.ms / 1000).toFixed(1)} s`);
    }
    await end(child);
    return steps;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function startChild(action: 'seed' | 'run', dataDir: string, size: number): ChildProcess {
  const entry = 'experiments/lib/measure-daily-run.ts';
  const args = [
    '--expose-gc',
    '--import',
    'tsx',
    '--conditions=source',
    entry,
    action,
    dataDir,
    String(size),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  child.once('exit', () => process.off('exit', killWithParent));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  const code = child.exitCode ?? ((await once(child, 'exit')) as [number | null])[0];
  if (code !== 0) throw new Error(`the measured process ended with ${code}`);
}

type Result = (typeof results)[number];

/** Of what came after the first fifth: by then everything is warm, whatever the size. */
function msPerMarket({ steps }: Result): number {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || last.done === first.done) return Number.NaN;
  return (last.ms - first.ms) / (last.done - first.done);
}

function growth({ steps }: Result, what: 'ownMiB' | 'heapMiB'): number {
  return (steps.at(-1)?.[what] ?? 0) - (steps[0]?.[what] ?? 0);
}

function report(): void {
  const [smallest] = results;
  const base = smallest ? msPerMarket(smallest) : Number.NaN;
  const rows = results.flatMap((result) =>
    result.steps.map(({ done, ms, rssMiB, ownMiB, heapMiB, isOver }) => [
      ...[result.size, done].map((count) => count.toLocaleString('en-US')),
      ...[(ms / 1000).toFixed(1), Math.round((done / ms) * 1000).toLocaleString('en-US')],
      ...[String(rssMiB), String(ownMiB ?? ''), String(heapMiB)],
      ...(isOver ? [msPerMarket(result).toFixed(2), (msPerMarket(result) / base).toFixed(2)] : []),
    ]),
  );
  const head = [
    'markets',
    'read',
    'seconds',
    'a second',
    'RSS MiB',
    'own MiB',
    'heap MiB',
    'ms each',
    'ratio',
  ];
  console.log(`\n${formatTable(head, rows)}\n`);
  for (const result of results) {
    const { size, steps } = result;
    expectThat(steps.at(-1)?.done === size, `all ${size} markets were read`);
    const ratio = msPerMarket(result) / base;
    expectThat(ratio <= mostRatio, `a market costs ${ratio.toFixed(2)} of what it costs among ${sizes[0]}`);
    const heap = growth(result, 'heapMiB');
    expectThat(heap <= mostGrowthMiB, `the heap grew by ${heap} MiB after the first fifth`);
  }
}
