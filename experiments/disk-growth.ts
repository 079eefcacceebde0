/**
 * What a tracked keyword takes on the disk, and by how much that grows each day: daily runs of some days on the sample store and the
 * embedded database, with every keyword read and scored. Prints the growth of each collection.
 */
import { parseArgs } from 'node:util';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import type { DiskUse } from './lib/measure-daily-run.ts';
import { runDays } from './lib/run-days.ts';

const { values } = parseArgs({
  options: {
    keywords: { type: 'string', default: '2000' },
    days: { type: 'string', default: '9' },
    help: { type: 'boolean' },
  },
});
const isWithin = (value: number, least: number, most: number) =>
  Number.isInteger(value) && value >= least && value <= most;
const [keywords, days] = [Number(values.keywords), Number(values.days)];
if (values.help || !(isWithin(keywords, 10, 100_000) && isWithin(days, 2, 100))) {
  console.log(`Usage: npm run disk-growth [-- --keywords 2000] [--days 9]

Events are kept for 7 days: with fewer days they still grow.`);
  process.exit(values.help ? 0 : 2);
}

const uses: DiskUse[] = [];
await runDays({
  keywords,
  days,
  onStep({ day, disk }) {
    if (disk === null) return;
    uses.push(disk);
    console.log(
      `day ${day}: ${mib(disk.fileBytes)} MiB in the file, ${mib(sumBytes(disk))} MiB of documents`,
    );
  },
});

const [first, last] = [uses[0] as DiskUse, uses.at(-1) as DiskUse];
const rows = Object.entries(last.collections)
  .map(([name, { documents, bytes }]) => {
    const grown = bytes - (first.collections[name]?.bytes ?? 0);
    return { name, documents, bytes, perDay: grown / (days - 1) };
  })
  .filter(({ bytes }) => bytes > 0)
  .sort((one, other) => other.perDay - one.perDay || other.bytes - one.bytes);
console.log(
  `\n${formatTable(
    ['collection', 'documents', 'bytes each', 'KiB in all', 'bytes a keyword and day'],
    rows.map(({ name, documents, bytes, perDay }) => [
      name,
      documents.toLocaleString('en-US'),
      String(Math.round(bytes / documents)),
      String(Math.round(bytes / 1024)),
      (perDay / keywords).toFixed(1),
    ]),
  )}`,
);
const perDay = (size: (use: DiskUse) => number) => (size(last) - size(first)) / (days - 1) / keywords;
console.log(
  `\na keyword and day: ${Math.round(perDay(sumBytes))} bytes of documents, ${Math.round(perDay(({ fileBytes }) => fileBytes))} of the file;`,
);
console.log(`a keyword after its first day: ${Math.round(sumBytes(first) / keywords)} bytes of documents`);

function sumBytes({ collections }: DiskUse): number {
  return Object.values(collections).reduce((sum, { bytes }) => sum + bytes, 0);
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
