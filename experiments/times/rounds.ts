import { loadavg } from 'node:os';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { quantile } from '../lib/quantile.ts';

/** What one round of a case says, by column. */
type Figures<Column extends string> = Readonly<Record<Column, number>>;
export type Case<Column extends string> = { name: string; measure(): Promise<Figures<Column>> };

/** How a column is printed: its digits, and whether with its ratio to the baseline. */
export type Columns<Column extends string> = Readonly<
  Record<Column, { digits?: number; isCompared?: boolean }>
>;

/**
 * Measures cases in turns, backward in every other round, so that other work and a slow drift of the machine hit all of them. The
 * first case is the baseline: ratios compare figures of the same round. Trust the ratios, not the figures.
 * @param warmUps rounds before those that count
 */
export async function measureInTurns<Column extends string>(
  cases: readonly Case<Column>[],
  { rounds, warmUps = 1, columns }: { rounds: number; warmUps?: number; columns: Columns<Column> },
) {
  const results = new Map(cases.map(({ name }) => [name, [] as Figures<Column>[]]));
  for (let round = -warmUps; round < rounds; round++)
    for (const { name, measure } of round % 2 === 0 ? cases : cases.toReversed()) {
      const figures = await measure();
      if (round >= 0) results.get(name)?.push(figures);
    }
  const baseline = cases[0]?.name ?? '';
  const of = (name: string, column: Column) => (results.get(name) ?? []).map((figures) => figures[column]);
  const ratios = (name: string, column: Column, base: string) =>
    of(name, column).map((figure, round) => figure / (of(base, column)[round] ?? Number.NaN));

  function cellsOf(name: string, column: Column): string[] {
    const { digits = 0, isCompared } = columns[column];
    const median = quantile(of(name, column), 0.5).toFixed(digits);
    if (!isCompared) return [median];
    const [low, middle, high] = [0.25, 0.5, 0.75].map((part) =>
      quantile(ratios(name, column, baseline), part).toFixed(2),
    );
    return [median, `x${middle}`, `${low} to ${high}`];
  }

  return {
    /** Of all rounds that count. */
    figures: of,
    /** The median of the rounds. */
    ratio: (name: string, column: Column, base = baseline) => quantile(ratios(name, column, base), 0.5),
    /** Medians, ratios to the baseline, and the middle half of the ratios. */
    print(title: string): void {
      const names = Object.keys(columns) as Column[];
      const head = names.flatMap((name) =>
        columns[name].isCompared ? [name, 'ratio', 'middle half'] : [name],
      );
      const rows = cases.map(({ name }) => [name, ...names.flatMap((column) => cellsOf(name, column))]);
      console.log(`\n${title}: medians of ${rounds} rounds, load average ${loadavg()[0]?.toFixed(1)}`);
      console.log(formatTable(['case', ...head], rows));
    },
  };
}

/** CPU time of this process, in microseconds. */
export function ownCpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
