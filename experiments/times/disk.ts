import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import type { DiskUse } from '../lib/measure-disk.ts';
import { runDays } from '../lib/run-days.ts';
import { defineTimes } from './define-times.ts';

export const times = defineTimes({
  name: 'disk',
  question: 'What does a tracked keyword take on the disk, and by how much does that grow each day?',
  options: {
    keywords: [2000, 'tracked keywords', [10, 100_000]],
    days: [9, 'days on which all of them are read and scored', [3, 400]],
  },
  async run({ keywords, days }) {
    const uses: DiskUse[] = [];
    await runDays({
      keywords,
      days,
      withDisk: true,
      onStep({ day, cpuMs, disk }) {
        if (!disk) return;
        uses.push(disk);
        console.log(
          `day ${day}: ${mib(disk.fileBytes)} MiB in the file, ${mib(sumBytes(disk))} MiB of documents; ${(cpuMs / keywords).toFixed(2)} ms of CPU a keyword`,
        );
      },
    });
    report(uses, keywords);
  },
});

/** The growth begins with the second day: the first one makes what there is once, and leaves free pages. */
function report(uses: readonly DiskUse[], keywords: number): void {
  const [first, second, last] = [uses[0], uses[1], uses.at(-1)] as [DiskUse, DiskUse, DiskUse];
  const perDay = (size: (use: DiskUse) => number) =>
    (size(last) - size(second)) / (uses.length - 2) / keywords;
  const rows = Object.entries(last.collections)
    .filter(([, { bytes }]) => bytes > 0)
    .map(([name, { documents, bytes }]) => ({
      name,
      documents,
      bytes,
      grown: perDay(({ collections }) => collections[name]?.bytes ?? 0),
    }))
    .sort((one, other) => other.grown - one.grown || other.bytes - one.bytes)
    .map(({ name, documents, bytes, grown }) => [
      name,
      documents.toLocaleString('en-US'),
      String(Math.round(bytes / documents)),
      String(Math.round(bytes / 1024)),
      grown.toFixed(1),
    ]);
  const head = ['collection', 'documents', 'bytes each', 'KiB in all', 'bytes a keyword and day'];
  console.log(`\n${formatTable(head, rows)}\n`);
  const fileBytes = ({ fileBytes: bytes }: DiskUse) => bytes;
  console.log(
    `a keyword and day: ${Math.round(perDay(sumBytes))} bytes of documents, ${Math.round(perDay(fileBytes))} of the file`,
  );
  console.log(
    `a keyword after its first day: ${Math.round(sumBytes(first) / keywords)} bytes of documents, ${Math.round(first.fileBytes / keywords)} of the file`,
  );
}

function sumBytes({ collections }: DiskUse): number {
  return Object.values(collections).reduce((sum, { bytes }) => sum + bytes, 0);
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
