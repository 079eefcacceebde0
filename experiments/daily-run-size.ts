/**
 * The time, the CPU time and the memory of the daily runs of two days with 1,000 to 100,000 keywords, on the sample store
 * and the embedded database in one process, until all keywords are read and scored, and the growth of the time per
 * keyword. At the end the large lists are measured.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { createExpectations } from './lib/expectations.ts';
import type { SizeStep } from './lib/measure-daily-run.ts';
import { runDays } from './lib/run-days.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000' },
    'list-rows': { type: 'string', default: '1000000' },
    help: { type: 'boolean' },
  },
});
const sizes = values.sizes.split(',').map(Number);
if (values.help || sizes.some((size) => !(size >= 10 && size <= 100_000))) {
  console.log(`Usage: npm run daily-run:size [-- --sizes 1000,10000,100000] [--list-rows 1000000]

  --sizes N,N      numbers of keywords, 10 to 100,000 each
  --list-rows N    tracked keywords of the measurement of lists (npm run list-times -- --help)`);
  process.exit(values.help ? 0 : 2);
}
/** The time per keyword may grow by this factor between the smallest and the largest run. */
const maxRatio = 2;
/** Flat memory: the heap may grow by this much after the first fifth of a run. */
const maxGrowthMiB = 60;

const { expectThat, conclude } = createExpectations();
const results: { size: number; day: SizeStep['day']; steps: SizeStep[] }[] = [];
for (const size of sizes) {
  const steps = await measure(size);
  for (const day of [1, 2] as const)
    results.push({ size, day, steps: steps.filter((step) => step.day === day) });
}
report();
await measureLists();
process.exitCode = conclude();

/** The lists of a large system are measured in a process of their own, with what they are expected to cost. */
async function measureLists(): Promise<void> {
  const options = [
    '--import',
    'tsx',
    '--conditions=shelfwise-source',
    'experiments/list-times.ts',
    '--rows',
    values['list-rows'],
  ];
  const child = spawn(process.execPath, options, { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  expectThat(code === 0, 'the lists cost what they may');
}

async function measure(size: number): Promise<SizeStep[]> {
  const steps: SizeStep[] = [];
  await runDays({
    keywords: size,
    days: 2,
    onStep(step) {
      steps.push(step);
      const { day, done, scored, ms } = step;
      console.log(
        `  day ${day}: ${done} of ${size} read, ${scored} scored after ${(ms / 1000).toFixed(1)} s`,
      );
    },
  });
  return steps;
}

type Result = (typeof results)[number];

/** A read and scored keyword. Excludes the first fifth of a run, which warms up. */
function msPerKeyword({ steps }: Result, what: 'ms' | 'cpuMs' = 'ms'): number {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || last.scored === first.scored) return Number.NaN;
  return (last[what] - first[what]) / (last.scored - first.scored);
}

/** How many times as long a keyword takes as on the same day of the smallest run. */
function growthOfTime(result: Result): number {
  const smallest = results.find(({ day }) => day === result.day);
  return smallest && smallest !== result ? msPerKeyword(result) / msPerKeyword(smallest) : 1;
}

function growth({ steps }: Result, what: 'ownMiB' | 'heapMiB'): number {
  return (steps.at(-1)?.[what] ?? 0) - (steps[0]?.[what] ?? 0);
}

function report(): void {
  const rows = results.flatMap((result) =>
    result.steps.map(({ day, done, scored, ms, rssMiB, ownMiB, heapMiB, isOver }) => [
      String(day),
      ...[result.size, done, scored].map((count) => count.toLocaleString('en-US')),
      ...[(ms / 1000).toFixed(1), Math.round((done / ms) * 1000).toLocaleString('en-US')],
      ...[String(rssMiB), String(ownMiB ?? ''), String(heapMiB)],
      ...(isOver
        ? [msPerKeyword(result), msPerKeyword(result, 'cpuMs'), growthOfTime(result)].map((figure) =>
            figure.toFixed(2),
          )
        : []),
    ]),
  );
  const head = [
    'day',
    'keywords',
    'read',
    'scored',
    'seconds',
    'per second',
    'RSS MiB',
    'own MiB',
    'heap MiB',
    'ms each',
    'CPU ms',
    'ratio',
  ];
  console.log(`\n${formatTable(head, rows)}\n`);
  for (const result of results) {
    const { size, day, steps } = result;
    expectThat(steps.at(-1)?.done === size, `day ${day}: all ${size} keywords were read`);
    const ratio = growthOfTime(result);
    expectThat(
      ratio <= maxRatio,
      `day ${day}: the time per keyword is ${ratio.toFixed(2)} times that of ${sizes[0]} keywords`,
    );
    const heap = growth(result, 'heapMiB');
    expectThat(heap <= maxGrowthMiB, `day ${day}: the heap grew by ${heap} MiB after the first fifth`);
  }
}
