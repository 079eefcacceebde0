import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { createExpectations, type Expectations } from '../lib/expectations.ts';
import type { SizeStep } from '../lib/measure-daily-run.ts';
import { runDays } from '../lib/run-days.ts';
import { defineTimes } from './define-times.ts';
import { times as listTimes } from './list.ts';

/** The time per keyword may grow by this factor between the smallest and the largest run. */
const maxRatio = 2;
/** Flat memory: the heap may grow by this much after the first fifth of a run. */
const maxGrowthMiB = 60;

type Result = { size: number; day: SizeStep['day']; steps: SizeStep[] };

export const times = defineTimes({
  name: 'daily-run',
  question:
    'How do time, CPU time and memory of two daily runs grow with the keywords, on the sample and the embedded database?',
  options: {
    sizes: ['1000,10000,100000', 'numbers of keywords, 10 to 100,000 each'],
    'list-rows': [1_000_000, 'tracked keywords of the measurement of lists at the end', [12_000, 5_000_000]],
  },
  async run({ sizes: text, 'list-rows': rows }) {
    const sizes = text.split(',').map(Number);
    if (sizes.some((size) => !(size >= 10 && size <= 100_000)))
      throw new Error(`--sizes ${text}: 10 to 100,000 each`);
    const results: Result[] = [];
    for (const size of sizes) {
      const steps = await measure(size);
      for (const day of [1, 2]) results.push({ size, day, steps: steps.filter((step) => step.day === day) });
    }
    const expectations = createExpectations();
    report(results, expectations);
    await listTimes.measure({ calls: 25, rows, only: '' });
    process.exitCode = expectations.conclude();
  },
});

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

/** A read and scored keyword. Excludes the first fifth of a run, which warms up. */
function msPerKeyword({ steps }: Result, what: 'ms' | 'cpuMs' = 'ms'): number {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last || last.scored === first.scored) return Number.NaN;
  return (last[what] - first[what]) / (last.scored - first.scored);
}

/** How many times as long a keyword takes as on the same day of the smallest run. */
function growthOfTime(result: Result, results: readonly Result[]): number {
  const smallest = results.find(({ day }) => day === result.day);
  return smallest && smallest !== result ? msPerKeyword(result) / msPerKeyword(smallest) : 1;
}

function growth({ steps }: Result, what: 'ownMiB' | 'heapMiB'): number {
  return (steps.at(-1)?.[what] ?? 0) - (steps[0]?.[what] ?? 0);
}

function report(results: readonly Result[], { expectThat }: Pick<Expectations, 'expectThat'>): void {
  const rows = results.flatMap((result) =>
    result.steps.map(({ day, done, scored, ms, rssMiB, ownMiB, heapMiB, isOver }) => [
      String(day),
      ...[result.size, done, scored].map((count) => count.toLocaleString('en-US')),
      ...[(ms / 1000).toFixed(1), Math.round((done / ms) * 1000).toLocaleString('en-US')],
      ...[String(rssMiB), String(ownMiB ?? ''), String(heapMiB)],
      ...(isOver
        ? [msPerKeyword(result), msPerKeyword(result, 'cpuMs'), growthOfTime(result, results)].map((figure) =>
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
    const ratio = growthOfTime(result, results);
    expectThat(
      ratio <= maxRatio,
      `day ${day}: the time per keyword is ${ratio.toFixed(2)} times that of ${results[0]?.size} keywords`,
    );
    const heap = growth(result, 'heapMiB');
    expectThat(heap <= maxGrowthMiB, `day ${day}: the heap grew by ${heap} MiB after the first fifth`);
  }
}
